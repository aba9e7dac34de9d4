// What the manual page says about partial files of other programs.

enum ManualAdopting {
  static let text = """
    `--adopt FILE` continues what another program has begun: `video.mp4` of `curl -C` or `wget -c`, `video.mp4` of aria2 with its \
    `video.mp4.aria2`, `video.mp4.part` or `video.crdownload` of a browser. If aria2's control file is next to the file, only the \
    pieces that are done by it are looked at, and its length must be that of the server's file. A control file that cannot be \
    read is an error. Holes and zeros are never taken over: a program that reserves space leaves them.

    Of which version the bytes are is not known, so they are compared. The file is divided into stretches of 4 MiB, or of \
    a 64th of what it has if that is more. The server is asked for 64 KiB at both ends and in the middle of each stretch, all \
    under the validators of one version. If one of these samples differs, its stretch is fetched again, and all others are compared \
    at nine places. If all differ, or if the file is longer than the server's, nothing of it is used. dray says what it \
    took over, and `dray show` keeps it.

    The comparison proves the samples, not what lies between them: it detects other versions of most files, and misplaced or \
    missing bytes, but not a few changed bytes between two samples. `--checksum` or `--verify require` proves all of it: if the digest \
    of the whole does not match, the file is fetched once more from its beginning.

    The bytes are copied into the part file, without using more space if the file system can share them. \
    FILE itself is only read, and stays as it is. If it has the name of the target, it is replaced when the download is complete, \
    provided that some of its bytes were taken over and that it was not changed meanwhile; otherwise `--on-conflict` \
    applies. The control file of aria2 stays, and can be removed then.

    If the server does not serve parts of the file, or nothing identifies its version (see RESUMING), nothing is taken over: \
    dray says so, and fetches all of it. FILE must be a regular file, not a link. It works over HTTP and HTTPS, and with s3 URLs.
    """
}
