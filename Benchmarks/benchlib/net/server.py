"""nginx at the far end of the line."""

from pathlib import Path

from ..nginx import Nginx
from .condition import Condition
from .line import SERVER

PORT, TLS_PORT = 8080, 8443
LOCAL = "127.0.0.1"

# The other downloads of a line take this file again and again.
OTHER = "other.bin"

SERVERS = """
  limit_conn_zone $binary_remote_addr zone=clients:1m;
  limit_conn_zone $binary_remote_addr zone=others:1m;
  server {{
    listen {address}:{port} backlog=4096;
    {connections} {each}
    location /other.bin {{ limit_rate 0; limit_conn others 1000; }}
    location /limited/ {{ limit_rate 700k; rewrite ^/limited/(.*)$ /$1 break; }}
  }}
  server {{
    listen {address}:{tls_port} ssl http2 backlog=4096;
    {each}
    ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  }}
"""


class FarServer(Nginx):
    """http, and https with HTTP/2. It is restarted in the namespaces of each line; files and certificate stay."""

    def __init__(self, prefix: Path):
        super().__init__(prefix, workers=1, names=f"IP:{SERVER},IP:{LOCAL}")
        self.address, self.condition = SERVER, None

    def at(self, address: str, within: tuple, condition: Condition | None = None) -> "FarServer":
        """Where it is started next, and how it limits its clients."""
        self.address, self.within, self.condition = address, within, condition
        return self

    def servers(self) -> str:
        limits = self.condition
        return SERVERS.format(
            connections=f"limit_conn clients {limits.connections};" if limits and limits.connections else "",
            each=f"limit_rate {int(limits.each * 1000)}k;" if limits and limits.each else "",
            address=self.address, port=PORT, tls_port=TLS_PORT, certificate=self.certificate, key=self.key)

    def url(self, path: str) -> str:
        return f"http://{self.address}:{PORT}/{path}"

    def tls_url(self, path: str) -> str:
        return f"https://{self.address}:{TLS_PORT}/{path}"
