"""Questions of a team's own: read from an archive or a folder, checked, kept in versions, served."""
