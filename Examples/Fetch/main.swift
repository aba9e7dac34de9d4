// Fetches a URL with DrayKit: `swift run FetchExample URL`. Killed and run again, it goes on where it was.

import DrayKit

let downloads = try DownloadManager.open()
let url = CommandLine.arguments.dropFirst().first ?? "https://www.example.com/"

let download = try downloads.download(url, to: ".")
for await progress in download.progress {
  print(progress.received, "of", progress.size.map(String.init) ?? "unknown")
}
let file = try await download.value()
print(file.path, "is whole and right")
