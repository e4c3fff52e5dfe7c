"""The command line of fanorona; installed as the package ``fanorona_cli``."""
