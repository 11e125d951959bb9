"""Running a server: proxies, logs, metrics, health, workers, backups and moving between databases."""
