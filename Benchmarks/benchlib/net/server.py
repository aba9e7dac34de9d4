"""nginx at the far end of the line."""

from pathlib import Path

from ..nginx import Nginx
from .line import SERVER

PORT, TLS_PORT = 8080, 8443
LOCAL = "127.0.0.1"

SERVERS = """
  server {{
    listen {address}:{port} backlog=4096;
    location /limited/ {{ limit_rate 700k; rewrite ^/limited/(.*)$ /$1 break; }}
  }}
  server {{
    listen {address}:{tls_port} ssl http2 backlog=4096;
    ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  }}
"""


class FarServer(Nginx):
    """http, and https with HTTP/2. It is restarted in the namespaces of each line; files and certificate stay."""

    def __init__(self, prefix: Path):
        super().__init__(prefix, workers=1, names=f"IP:{SERVER},IP:{LOCAL}")
        self.address = SERVER

    def at(self, address: str, within: tuple) -> "FarServer":
        """Sets the address and the namespace of the next start."""
        self.address, self.within = address, within
        return self

    def servers(self) -> str:
        return SERVERS.format(
            address=self.address, port=PORT, tls_port=TLS_PORT, certificate=self.certificate, key=self.key)

    def url(self, path: str) -> str:
        return f"http://{self.address}:{PORT}/{path}"

    def tls_url(self, path: str) -> str:
        return f"https://{self.address}:{TLS_PORT}/{path}"
