"""Links for a new password by mail, outside of the request that asks for one.

So neither the time of the answer nor a mail server that is away tells whether there is an account.
"""

import logging
import queue
import smtplib
import ssl
import threading
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from app.accounts import resetting
from app.database import Database

if TYPE_CHECKING:
    from app.settings import Settings

log = logging.getLogger(__name__)
TIMEOUT: Final = 10  # s for each step of the talk with the mail server
_MOST_WAITING: Final = 100


class Mailer:
    """Sends one mail after the other, in a thread of its own."""

    def __init__(self, settings: "Settings", database: Database, clock: Callable[[], datetime]) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._logins: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._started = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask_reset(self, login: str) -> None:
        """Has a link sent, where there is an account of that address."""
        try:
            self._logins.put_nowait(login)
        except queue.Full:
            log.error("A mail was not sent: %d are waiting already", _MOST_WAITING)
            return
        with self._started:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Until everything that was asked for is sent or given up."""
        self._logins.join()

    def _work(self) -> None:
        while True:
            login = self._logins.get()
            try:
                self._send_reset(login)
            except smtplib.SMTPNotSupportedError as error:
                log.error("A link for a new password could not be mailed: %s", error)
            except Exception as error:
                # Whatever it was: the next mail may work, and this thread is the only one. What a mail server
                # says of an error repeats the address, which is nothing for a log.
                code = getattr(error, "smtp_code", "")
                log.error("A link for a new password could not be mailed: %s %s", type(error).__name__, code)
            finally:
                self._logins.task_done()

    def _send_reset(self, login: str) -> None:
        now = self._clock()
        with self._database.session() as session:
            user = resetting.account_to_mail(session, login)
            if user is None:
                return
            base_url = self._settings.public_url
            link = resetting.make_link(session, user, base_url, now, lasts=resetting.LASTS_BY_MAIL)
        message = EmailMessage()
        message["Subject"] = "A new password for Ridgeway"
        message["From"] = self._settings.mail_from
        message["To"] = user.login
        message["Date"] = formatdate(now.timestamp())
        message["Message-ID"] = make_msgid(domain=self._settings.mail_from.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(
            "Somebody asked for a new password for your account. If it was you, set it here within the hour:"
            f"\n\n{link}\n\nIf it was not you, do nothing: your password stays as it is.\n"
        )
        self._deliver(message)

    def _deliver(self, message: EmailMessage) -> None:
        url = urlsplit(self._settings.smtp_url)
        assert url.hostname is not None  # the settings allow no other
        server: smtplib.SMTP
        if url.scheme == "smtps":
            context = ssl.create_default_context()
            server = smtplib.SMTP_SSL(url.hostname, url.port or 465, timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(url.hostname, url.port or 587, timeout=TIMEOUT)
        with server:
            server.ehlo()
            if url.scheme == "smtp" and server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
            elif url.scheme == "smtp" and url.username:
                raise smtplib.SMTPNotSupportedError("no STARTTLS, so no password is sent to the mail server")
            if url.username:
                server.login(unquote(url.username), unquote(url.password or ""))
            server.send_message(message)
