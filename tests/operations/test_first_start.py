"""In team mode the first start prints a link for whoever will run the server."""

import os
import re
import subprocess
import sys
from pathlib import Path

from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings


def test_a_link_for_the_first_owner(app_settings: Settings, bank: Bank) -> None:
    environment = {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "RIDGEWAY_PORT": "0",
        "RIDGEWAY_DATA_DIR": str(app_settings.data_dir),
        "RIDGEWAY_MODE": "team",
        "RIDGEWAY_BASE_URL": "https://ridgeway.example.com",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", "from app.cli import main; main()", "serve"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.terminate()
    process.communicate(timeout=20)
    [path] = re.findall(r"https://ridgeway\.example\.com(/first-owner/\S+)", first)
    app = create_app(app_settings.model_copy(update={"mode": "team"}), bank=bank)
    client = TestClient(app, base_url="http://127.0.0.1")
    assert client.get(path).status_code == 200
    assert client.get("/first-owner/another").status_code == 404
