// What the manual page says about digests: which are found, and what is made of them.

enum ManualVerifying {
  static let text = """
    A whole file is checked against everything that is known of it before it gets its name. What was given counts most: \
    `--checksum`, or the digest of a Metalink file, a catalog or a manifest. Without being asked, dray also checks what the \
    server offers in the header of its answer: `Repr-Digest` and `Content-Digest` (RFC 9530; it asks for them with \
    `Want-Repr-Digest`), `Digest` (RFC 3230), `Content-MD5`, `x-goog-hash`, `x-amz-checksum-*`, `x-ms-blob-content-md5` and \
    `X-Checksum-*`. Of several the one is computed that nobody can forge. A file that does not have it is not published, and \
    the exit status is 9; where a digest that was given is right, a server that says otherwise is only told of. One that \
    offers another digest than the given one, by the same algorithm, is refused before the bytes come.

    A digest that was offered belongs to the version of the file: an answer that goes on with another one is of another \
    version, and where nothing else identifies a version, it makes resuming safe.

    `--verify auto` also looks for lists beside the file while it comes: `URL.sha256`, `.sha256sum`, `.sha512`, `.sha1` and \
    `.md5`, then `SHA256SUMS`, `SHA256SUMS.txt`, `sha256sum.txt`, `SHA512SUMS`, `CHECKSUM`, `CHECKSUMS`, `checksums.txt` and \
    `MD5SUMS` of its directory. The first that names the file counts as if its digest had been given. A signature beside the \
    list (`.gpg`, `.asc`, `.sig`, `.sign`) or around it is checked by gpg with your keyring, one by minisign (`.minisig`) \
    with `--verify-key`. One that is not good is a failure; one that could not be checked, because the key or the tool is \
    not there, is told of. `--verify require` fails where neither the answer nor a list has a digest; `--verify none` heeds \
    only what was given.

    The digest that was proved is recorded with the one who had said so: `dray show` and `dray list --json` have both, `dray \
    list --sums` prints lines for `cksum -c`, and `dray verify` checks files against them later.
    """
}
