// Fetches one file with DrayKit. The README shows this program; a test builds it and compares the two.

import DrayKit

guard let url = CommandLine.arguments.dropFirst().first else { fatalError("usage: FetchExample URL") }

do {
  let manager = try await DownloadManager.open()
  let download = try await manager.download(url, to: "Downloads")
  for await progress in download.progress {
    print("\(progress.received) of \(progress.size.map(String.init) ?? "unknown") bytes")
  }
  let file = try await download.value()
  print(file.path, file.job.response?.head.status ?? 0)
} catch {
  // Received bytes are kept. Another run of this program continues from there.
  print("not fetched:", error)
}
