// Lines of aria2c as scripts, programs and manuals have them: none may be refused.

import ArgumentParser
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Scripts with aria2c")
struct AriaScriptTests {
  /// The words after `aria2c`. Names, URLs and secrets are replaced: `URL` is a URL, `_` a blank within a word, `list` a
  /// list of URLs with options, `jar` a file of cookies.
  static let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)

  private static let text = """
    # yt-dlp (yt_dlp/downloader/external.py), for a file and, in older versions, for fragments
    --no-conf --auto-save-interval=10 --console-log-level=warn --summary-interval=0 --download-result=hide \
    --http-accept-gzip=true --file-allocation=none -x16 -j16 -s16 --min-split-size 1M --load-cookies=jar \
    --header User-Agent:_Mozilla/5.0 --header Accept:_*/* --header Accept-Language:_en-us,en;q=0.5 --header \
    Sec-Fetch-Mode:_navigate --check-certificate=true --remote-time=false --show-console-readout=true \
    --remove-control-file=false --allow-overwrite=true --always-resume=false --auto-file-renaming=false \
    --force-save=false --dir ./films/ --out ./film.mp4.part -- URL
    -c --no-conf --console-log-level=warn --summary-interval=0 --download-result=hide --http-accept-gzip=true \
    --file-allocation=none -x16 -j16 -s16 --allow-overwrite=true --allow-piece-length-change=true \
    --auto-file-renaming=false --uri-selector=inorder -i ./list
    -c --no-conf --max-overall-download-limit 512000 --interface 127.0.0.1 --all-proxy http://127.0.0.1:3128 \
    --check-certificate=false --out ./film.mp4 -- URL
    # apt-fast, with its settings filled in, and older ones
    --no-conf -c -j 5 -x 10 -s 8 -i list --min-split-size=1M --stream-piece-selector=default \
    --connect-timeout=600 --timeout=600 -m0
    --no-conf -c -j 16 -x 16 -s 16 -i list --min-split-size=1M --stream-piece-selector=geom --connect-timeout=60 \
    --timeout=600 --max-connection-per-server=16 --header Accept:_*/*
    -c -j 20 -i list --connect-timeout=10 --timeout=600 -m0
    -c -j 5 URL
    # hfd.sh
    --console-log-level=error --file-allocation=none -x 4 -j 5 -s 4 -k 1M -c -i list --save-session=list
    --console-log-level=error --file-allocation=none -x 10 -s 10 -k 1M -c URL -d model -o weights.bin
    --console-log-level=error --file-allocation=none --header=Authorization:_Bearer_hf_x -x 4 -s 4 -k 1M -c URL \
    -d m -o f
    # UUP dump
    --no-conf --async-dns=false --console-log-level=warn --log-level=info --log=aria2_download.log -oscript.txt \
    --allow-overwrite=true --auto-file-renaming=false URL
    --no-conf --async-dns=false --console-log-level=warn -x16 -s16 -j5 -c -R -d UUPs -i list
    # Notebooks and images with models
    --console-log-level=error -c -x 16 -s 16 -k 1M URL -d /content/models/Lora/ -o weights.safetensors
    -x 16 -s 16 -k 1M --continue=true --max-tries=5 --retry-wait=5 --header=Authorization:_Bearer_x URL -d work \
    -o f
    -x16 -s16 -c --allow-overwrite=true --auto-file-renaming=false -o f URL
    -q --allow-overwrite=true --auto-file-renaming=false -o f -d dir URL
    -x 16 -s 16 --allow-overwrite=true -c URL --dir dir --out a/b.tar.gz --console-log-level=error
    -x 8 -s 20 -k 1M -V -c --console-log-level=error --download-result=full --summary-interval=10 -i list
    --continue=true --allow-overwrite=true --auto-file-renaming=false --file-allocation=none \
    --max-connection-per-server=8 --split=8 --min-split-size=1M --max-tries=8 --retry-wait=3 --timeout=60 \
    --summary-interval=20 --dir=dir --out=f.incomplete URL
    # Installers and builds
    --console-log-level=error --check-certificate=false --max-tries=5 --retry-wait=2 --connect-timeout=15 \
    --allow-overwrite=true --auto-file-renaming=false -o f URL
    --console-log-level=error --download-result=hide --file-allocation=none -x 4 URL
    --console-log-level=warn --summary-interval=1 -x 16 -o f URL
    -x 16 -k 1M -s 16 --allow-overwrite=true --auto-file-renaming=false URL
    -d /usr/local/bin URL
    -c -j 8 -x 16 -s 16 -k 1M URL
    -q --timeout=10 --allow-overwrite=true --auto-file-renaming=false --check-certificate=false -o f URL
    --continue=true --allow-overwrite=true --auto-file-renaming=false --max-tries=5 --retry-wait=5 \
    --max-connection-per-server=4 --split=4 --min-split-size=8M --file-allocation=none --dir dir --out f URL
    -x 16 -s 16 --max-tries=5 --retry-wait=10 --file-allocation=none --max-file-not-found=5 \
    --summary-interval=60 --show-console-readout=true -d dir -o f URL
    --no-conf --allow-overwrite=true --auto-file-renaming=false -x 16 -s 16 -j 16 -d dir -i list
    # Scientific data
    -x 16 -s 16 -k 1M -c URL --header=Referer:_https://h.example/docs/ -o f.zip
    -x 16 -s 16 -c -o f.tab URL
    -c -j6 -i -
    -c -j 8 -x 1 -s 1 -d genomes -i list
    -c -j10 --download-result=hide --console-log-level=warn -i list
    -c -j 2 -x 4 -s 4 -i list -d dir
    -c -j16 -s16 -x16 --follow-torrent=mem -o f URL
    -c -j 1 -x 1 -s 1 --max-tries=12 --retry-wait=20 --timeout=120 --allow-overwrite=true \
    --auto-file-renaming=false --user-agent=Some/0.1 -i list
    -x 16 -s 16 -d /tmp URL
    -x 16 -s 16 -o f URL
    -x 16 -s 16 -k 1M URL
    -x 16 -s 16 -k 1M -c --retry-wait=5 --max-tries=20 --timeout=60 --connect-timeout=30 --allow-overwrite=true \
    --auto-file-renaming=false -d dir -o f URL
    --continue=true --max-tries=2 --retry-wait 20 --timeout=120 --connect-timeout=60 \
    --max-connection-per-server=1 --split=1 --min-split-size=8M --file-allocation=none --allow-overwrite=true \
    --auto-file-renaming=false --dir genome --out f.gz.part URL
    # aria2's manual
    URL
    -x2 URL
    URL ftp://m.example/f.zip
    -s1 -x1 URL
    --max-download-limit=100K URL
    --checksum=sha-1=0192ba11326fe2298c8cb4de616f4d4140213838 -o f URL
    -j2 -Z URL URL2
    -ilist.txt
    -P https://{h,m}.example/f
    -Z -P https://h.example/image[000-100:50].png
    -c -s2 URL https://m.example/f
    --http-proxy=http://proxy:8080 URL
    --http-proxy=http://proxy:8080 --no-proxy=localhost,127.0.0.1,192.168.0.0/16 URL
    --https-proxy=http://proxy:8080 --https-proxy-user=user --https-proxy-passwd=secret URL
    --http-user=user --http-passwd=secret URL
    --ftp-user=user --ftp-passwd=secret ftp://h.example/f
    --load-cookies=jar URL
    --user-agent=Mozilla/5.0 --referer=* URL
    --header=X-A:_1 --header=X-B:_2 URL
    --allow-overwrite=true --conditional-get=true URL
    --dry-run=true URL
    --always-resume=false URL
    --lowest-speed-limit=5K --max-tries=3 URL
    --server-stat-of=s --server-stat-if=s --uri-selector=feedback URL
    --on-download-complete=./hook.sh --on-download-error=./hook.sh URL
    --file-allocation=none --disk-cache=64M URL
    --save-session=out --input-file=list
    -D --conf-path=aria2.conf -i list
    # Services
    --enable-rpc
    --enable-rpc --rpc-listen-all=true --rpc-allow-origin-all -c
    --enable-rpc --rpc-listen-all=false --rpc-listen-port=6800 --max-connection-per-server=10 --seed-time=0
    --enable-rpc --rpc-listen-port=6800 --rpc-secret=x
    --enable-rpc --rpc-listen-all --rpc-listen-port=6800 --enable-dht --dht-listen-port=6881-6888 \
    --max-concurrent-downloads=12 --seed-time=30 --bt-tracker=udp://t.example:1337
    --enable-rpc --rpc-listen-all=false --rpc-secret=x --check-integrity=true --continue=true --seed-time=0 \
    --seed-ratio=0 --max-upload-limit=1K --bt-max-peers=50 --dir=dir
    --conf-path=aria2.conf -D --enable-rpc --input-file=list --save-session=list --save-session-interval=60
    """

  private static let catalog = Result { try OptionCatalog.read(DrayRoot.self) }

  private static let files = [
    "/base/list":
      "https://h.example/a\thttps://m.example/a\n out=a\n checksum=sha-1=\(String(repeating: "0", count: 40))\n",
    "/base/list.txt": "https://h.example/a\n", "/base/jar": "# Netscape HTTP Cookie File\n",
    "/base/aria2.conf": "continue=true\nfile-allocation=none\nbt-enable-lpd=true\nrpc-listen-port=6811\n",
  ]

  @Test("there are enough of them")
  func count() {
    #expect(Self.lines.count >= 50)
    #expect(Set(Self.lines).count == Self.lines.count)
  }

  @Test("no line is refused", arguments: lines)
  func accepted(_ typed: String) throws {
    let line = try AriaLineTests.read(typed, files: Self.files)
    let surroundings = Surroundings.fixed(
      environment: ["HOME": "/home/none"], files: Self.files, input: "https://h.example/a\n")
    #expect(!line.commands.isEmpty)
    let catalog = try Self.catalog.get()
    for command in line.commands {
      // As the program does, which reads options of every command.
      let words = try ArgumentSyntax.words(of: command.filter { $0 != "--no-config" }, catalog)
      let parsed = try DrayRoot.command(words)
      if let get = parsed as? Get {
        _ = try get.run.options()
        _ = try get.job.hooks.hooks()
        _ = try Operands.specifications(get.job, get.request, surroundings)
      } else if let add = parsed as? Add {
        _ = try Operands.specifications(add.job, add.request, surroundings)
      } else {
        #expect(parsed is Serve)
      }
    }
  }
}
