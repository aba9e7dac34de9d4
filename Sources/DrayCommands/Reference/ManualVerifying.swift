// What dray-get(1) says about digests: which are found, and what is made of them.

enum ManualVerifying {
  static let text = """
    A complete file is checked against everything that is known of it before it gets its name. Digests that were given \
    take precedence: `--checksum`, or the digest of a Metalink file, a catalog or a manifest. By default, dray also checks what the \
    server offers in the header of its answer: `Repr-Digest` and `Content-Digest` (RFC 9530; it asks for them with \
    `Want-Repr-Digest`), `Digest` (RFC 3230), `Content-MD5`, `x-goog-hash`, `x-amz-checksum-*`, `x-ms-blob-content-md5` and \
    `X-Checksum-*`. If several are offered, the strongest is checked. A file that does not match is not published, and \
    the exit status is 9; if a digest that was given matches, a server that says otherwise is only reported. One that \
    offers another digest than the given one, by the same algorithm, is refused before the bytes are transferred.

    An offered digest belongs to the version of the file: an answer that continues with another digest is of another \
    version, and if nothing else identifies a version, the digest makes resuming safe.

    `--verify auto` also searches for lists next to the file while it is transferred: `URL.sha256`, `.sha256sum`, `.sha512`, `.sha1` and \
    `.md5`, then `SHA256SUMS`, `SHA256SUMS.txt`, `sha256sum.txt`, `SHA512SUMS`, `CHECKSUM`, `CHECKSUMS`, `checksums.txt` and \
    `MD5SUMS` of its directory. The first that names the file is used as if its digest had been given. A signature of the \
    list (`.gpg`, `.asc`, `.sig`, `.sign`, or inline) is checked by gpg with your keyring, one by minisign (`.minisig`) \
    with `--verify-key`. A bad signature is a failure; one that could not be checked, because the key or the tool is \
    missing, is reported. `--verify require` fails if neither the answer nor a list has a digest; `--verify none` uses \
    only what was given.

    The verified digest is recorded together with its source: `dray show` and `dray list --json` have both, \
    `dray list --sums` prints lines for `cksum -c`, and `dray verify` checks files against them later.
    """
}
