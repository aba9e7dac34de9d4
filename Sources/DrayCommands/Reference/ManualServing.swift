// What the manual page says about the service.

enum ManualServing {
  static let access = """
    The socket in the state directory is open to its owner only, and needs no secret. Clients over TCP need the secret. It comes from \
    `--secret-file`, from `DRAY_SERVE_SECRET` or from systemd's credential `dray-secret`, with 8 characters at least; otherwise from \
    `serve.secret` in the state directory, which is created at the first start. `--show-secret` prints it. At its start the service prints \
    a link that opens the page: it logs in once, within an hour. Wrong secrets are logged. After ten in a minute, answers to further wrong \
    ones are delayed; the right secret always works at once. When connections run out, clients without the secret are closed first.

    With `--no-secret` every user and program of this machine can control the service, at 127.0.0.1 and ::1; other addresses are refused. \
    Requests that a proxy forwards count as coming from outside.

    `Host` must be localhost, an address or a `--host-name`, and `Origin` the page's own or an `--allow-origin`: a page of somebody \
    else's cannot use a browser on this machine. IPv4 addresses within IPv6 are refused. GET and HEAD change nothing, unless the secret is \
    in that call. Jobs, `dray get` and `dray info` do not connect to a service of their own user, unless `--own-service` is given. TLS is left to a proxy in front; `ssh -L 6800:127.0.0.1:6800 HOST` needs none.

    Files of clients go below a `--root`, and no link below it is followed. Clients cannot give URLs of the schemes file, sftp and s3, \
    name files that a request reads, choose a proxy, switch certificate checks off or set commands, unless `--allow` names that. With \
    `--deny-private` their jobs connect to no address in a private network, wherever a name or a redirect leads.
    """

  static let clients = """
    `http://127.0.0.1:6800/jsonrpc` answers as aria2 does: POST, GET and WebSocket, batches, `system.multicall`, notifications. \
    The secret is aria2's `token:SECRET`. `/rpc` has the same in XML-RPC. There is no BitTorrent. Options of aria2 that mean something \
    here do (`dir`, `out`, `split`, `header`, `max-download-limit`, `checksum`, `pause` and others); the rest is kept and given back.

    A GID is the first 16 digits of the UUID of a job. A client that chooses one, and asks again with it because it heard no answer, \
    gets the job that it made, also after the service was killed. What was answered is on disk.
    """

  static let running = """
    `--detach` starts the service in the background and returns when it listens, or with the exit status and the message of what \
    keeps it from that. Its log is then `serve.log` in the state directory; beyond 1 MiB it becomes `serve.log.1`, and so on up to 3. \
    `--stop` ends it after a clean checkpoint, by SIGTERM, and waits.

    `--status --json` prints an object: `pid`; `version`; `startedAt`, in seconds since 1970; `listening`, addresses and paths; \
    `hasSecret`; `secretFile`, the path, if it is in a file; `roots` and `directory`, where files of clients may go, and go by default; `log`, the path, if it is a file.

    `--install` writes `dray.service` for systemd's manager of this user, with the other options of the same call, and a new secret \
    to `~/.config/dray/secret`, and starts it. Sockets that systemd hands over are served, too.
    """
}
