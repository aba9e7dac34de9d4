// Sends the service the calls of aria2's front ends, word for word; Transcripts/replay.py describes the format.

import Foundation
import Testing

@Suite("Service: transcripts of front ends")
struct TranscriptTests {
  /// The service settings in a transcript.
  struct Transcript: Decodable, Sendable, CustomTestStringConvertible {
    var frontEnd: String
    /// Whether the front end knows a secret.
    var secret: Bool
    /// The page's origin; `nil` for a program.
    var origin: String?
    /// How the origin is allowed, if not by its own name.
    var allow: String?
    /// Whether the front end ends the service.
    var ends: Bool?
    var path = ""

    private enum CodingKeys: CodingKey { case frontEnd, secret, origin, allow, ends }

    var testDescription: String { frontEnd }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

  static let all: [Transcript] = {
    do {
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return try files.filter { $0.pathExtension == "json" }.map { file in
        var transcript = try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: file))
        transcript.path = file.path
        return transcript
      }.sorted { $0.path < $1.path }
    } catch {
      fatalError("\(folder.path): \(error)")
    }
  }()

  @Test("each front end gets the answers that it needs", arguments: all)
  func replayed(transcript: Transcript) async throws {
    // One connection brings the bytes in order.
    try await Sandbox.use(connections: 1) { sandbox in
      let secret = transcript.secret ? "correct-horse-battery-staple" : nil
      let origin = (transcript.allow ?? transcript.origin).map { ["--allow-origin", $0] } ?? []
      let service = try await Service.start(in: sandbox, origin, secret: secret)
      let script = Self.folder.appending(path: "replay.py").path
      let words = [script, transcript.path, "\(service.port)", sandbox.downloads] + (secret.map { [$0] } ?? [])
      expect(try await sandbox.tool("python3", ["-B"] + words, seconds: 240), exits: 0, saying: "done")
      guard transcript.ends != true else {
        expect(try await service.program.finish(), exits: 0)
        return
      }
      try await service.stop()
    }
  }

  @Test func thereAreSome() { #expect(Self.all.count >= 10) }
}
