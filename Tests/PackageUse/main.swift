// The program of scripts/package-use-test.sh: another package that fetches one file with DrayKit.

import DrayKit

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 3 else { fatalError("usage: use URL DIRECTORY CHECKSUM") }

do {
  let manager = try await DownloadManager.open()
  let download = try await manager.download(words[0], to: words[1], checksum: words[2], priority: 1)
  let bar = Task { for await progress in download.progress { print("received", progress.received) } }
  let file = try await download.value()
  await bar.value
  print("complete", file.path)
} catch {
  fatalError("not fetched: \(error)")
}
