// Sizes and spans of time, read and written.

import Testing

@testable import DrayCore

@Suite struct QuantityTests {
  @Test(
    arguments: [
      ("0", 0), ("512", 512), ("512B", 512), ("1k", 1024), ("1K", 1024), ("1kB", 1024), ("1KiB", 1024),
      ("1.5M", 1_572_864),
      (".5m", 524_288), ("2G", 2 << 30), ("2gib", 2 << 30), ("1T", 1 << 40), ("0.1k", 102),
      ("8388607T", 8_388_607 << 40),
    ] as [(String, Int64)])
  func sizes(text: String, expected: Int64) throws {
    #expect(try ByteCount.parse(text) == expected)
  }

  @Test(
    arguments: [
      "", "k", "-1", "-1k", "+1", "1x", "1 k", "1kk", "1.2.3", "1.", ".", "0x10", "1e3", "nan", "inf", "1iB", "1BB",
      "٣",
      "8388608T", "99999999999999999999", "1\u{1B}[2J",
    ])
  func notSizes(text: String) throws {
    let error = #expect(throws: QuantityParseError.self) { try ByteCount.parse(text) }
    let message = try #require(error).message
    #expect(message == TextSafety.escaped(message))
  }

  @Test(
    arguments: [
      ("2M", 2 << 20), ("2 MB/s", 2 << 20), ("1.5 MiB/s", 3 << 19), ("512 B/s", 512), (" 500k ", 512_000),
      ("1 k", 1024),
      ("1M/s", 1 << 20),
    ] as [(String, Int64)])
  func ratesAsTheyAreShown(text: String, expected: Int64) throws {
    #expect(try ByteCount.parseRate(text) == expected)
  }

  @Test(arguments: ["", "/s", "2/s/s", "2 M B/s", "M 2", "2Mb/h", "2 MiB /s x"])
  func notRates(text: String) {
    let error = #expect(throws: QuantityParseError.self) { try ByteCount.parseRate(text) }
    #expect(error?.message.contains("\"\(text)\"") ?? false)
  }

  @Test(
    arguments: [
      (0, "0 B"), (512, "512 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (20 << 20, "20.0 MiB"),
      (12_897_484, "12.2 MiB"), (300 << 20, "300.0 MiB"), (1_048_575, "1023.9 KiB"), ((1 << 30) - 1, "1023.9 MiB"),
      (1 << 40, "1.0 TiB"), (.max, "7.9 EiB"), (-1, "0 B"),
    ] as [(Int64, String)])
  func sizesForPeople(bytes: Int64, expected: String) {
    #expect(ByteCount.text(bytes) == expected)
  }

  @Test(
    arguments: [
      (412 << 20, 450 << 20, "412 of 450 MiB"), (597_952, 600_000, "583 of 585 KiB"), (1, 2 << 20, "1 B of 2.0 MiB"),
      (5 << 10, 450 << 20, "5.0 KiB of 450 MiB"), (0, 5, "0 of 5 B"), (0, 2 << 20, "0 of 2.0 MiB"),
      (2 << 30, 300 << 20, "2.0 GiB of 300 MiB"), (6 << 20, 6 << 20, "6.0 of 6.0 MiB"),
      // Bytes are missing.
      ((450 << 20) + 500_000, (450 << 20) + 900_000, "450.4 of 450.8 MiB"),
      ((450 << 20) - 1, 450 << 20, "449 of 450 MiB"), (450 << 20, (450 << 20) + 9, "471859200 of 471859209 B"),
      ((6 << 20) - 1, 6 << 20, "5.9 of 6.0 MiB"), (6 << 20, (6 << 20) + 1, "6291456 of 6291457 B"), (0, 0, "0 of 0 B"),
    ] as [(Int64, Int64, String)])
  func shares(part: Int64, whole: Int64, expected: String) {
    #expect(ByteCount.share(part, of: whole) == expected)
  }

  @Test(
    arguments: [
      ("30", 30), ("1.5", 1.5), ("30s", 30), ("500ms", 0.5), ("2m", 120), ("2min", 120), ("1h", 3600), ("1d", 86_400),
      ("0", 0),
    ])
  func spans(text: String, expected: Double) throws {
    #expect(try TimeSpan.parse(text) == expected)
  }

  @Test(arguments: ["", "-1", "s", "1 s", "1x", "1.", "1e9", "nan", "99999999999", "1h30"])
  func notSpans(text: String) {
    #expect(throws: QuantityParseError.self) { try TimeSpan.parse(text) }
  }

  @Test(
    arguments: [
      (0, "0 s"), (3.4, "3 s"), (59.6, "1 min 00 s"), (64, "1 min 04 s"), (3599.9, "1 h 00 min"), (7500, "2 h 05 min"),
      (86_399, "23 h 59 min"), (273_600, "3 d 4 h"), (-5, "0 s"), (.infinity, "ages"), (.nan, "ages"),
    ])
  func spansForPeople(seconds: Double, expected: String) {
    #expect(TimeSpan.text(seconds) == expected)
  }
}
