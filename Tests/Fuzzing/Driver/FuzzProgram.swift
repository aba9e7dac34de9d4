// The program of `make fuzz`: one target for some seconds, driven by libFuzzer where the toolchain has it (LIBFUZZER is
// set then), else by the generator of the gate with a new seed each time.
//
//   DrayFuzz                      the names of all targets
//   DrayFuzz NAME SECONDS         fuzzes one; corpus and findings are below DRAY_FUZZ_PLACE
//   DrayFuzz NAME FILE…           checks these inputs

import Foundation

@main
enum FuzzProgram {
  nonisolated(unsafe) fileprivate static var target = FuzzTarget.all[0]

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let name = words.first else { return print(FuzzTarget.all.map(\.name).joined(separator: "\n")) }
    guard let target = FuzzTarget.all.first(where: { $0.name == name || $0.slug == name }), words.count > 1 else {
      print("there is no such target, or nothing to do: \(name)")
      exit(2)
    }
    self.target = target
    guard words.count == 2, let seconds = Int(words[1]) else { return replay(words.dropFirst()) }
    let place = ProcessInfo.processInfo.environment["DRAY_FUZZ_PLACE"] ?? ".build/fuzz"
    #if LIBFUZZER
    drive(libFuzzerWords(seconds, place))
    #else
    generate(seconds, place)
    #endif
  }

  /// The arguments of libFuzzer, once its corpus exists. Compiled without libFuzzer, too, so that the gate checks it.
  private static func libFuzzerWords(_ seconds: Int, _ place: String) -> [String] {
    let corpus = "\(place)/corpus/\(target.slug)"
    let findings = "\(place)/findings"
    for directory in [corpus, findings] {
      try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    for (index, seed) in target.seeds.enumerated() {
      _ = FileManager.default.createFile(atPath: "\(corpus)/seed-\(index)", contents: Data(seed))
    }
    let dictionary = "\(place)/corpus/\(target.slug).dict"
    let entries = target.words.map { word in "\"" + word.utf8.map(FuzzProgram.escaped).joined() + "\"\n" }
    _ = FileManager.default.createFile(atPath: dictionary, contents: Data(entries.joined().utf8))
    // One without an entry is an error.
    let dictionaries = entries.isEmpty ? [] : ["-dict=\(dictionary)"]
    return [
      CommandLine.arguments[0], corpus, "-max_total_time=\(seconds)", "-timeout=20",
      "-rss_limit_mb=2560", "-max_len=65536", "-len_control=50", "-print_final_stats=1", "-verbosity=0",
      "-artifact_prefix=\(findings)/\(target.slug)-",
    ] + dictionaries
  }

  private static func escaped(_ byte: UInt8) -> String {
    byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
      ? String(UnicodeScalar(byte)) : "\\x" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }

  private static func replay(_ paths: some Sequence<String>) {
    for path in paths {
      guard let input = FileManager.default.contents(atPath: path) else {
        print("\(path) cannot be read")
        exit(2)
      }
      var violation: String?
      let seconds = Growth.cost { violation = target.violation(Array(input)) }
      print("\(path): \(violation ?? "all holds"), \(input.count) bytes, \(seconds) s")
      if violation != nil { exit(1) }
    }
  }

  private static func generate(_ seconds: Int, _ place: String) {
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let seed = UInt64.random(in: 0...UInt64.max)
    let last = LastInput(target, in: place)
    print("\(target.name): seed \(seed), the input under way is in \(last.path)")
    var maker = InputMaker(target, seed: seed)
    let end = Date(timeIntervalSinceNow: Double(seconds))
    var count = 0
    while Date() < end {
      count += 1
      let input = maker.next()
      last.note(input)
      if let violation = target.violation(input) {
        print("\(target.name): \(violation)\nits input is in \(last.path)")
        exit(1)
      }
    }
    last.remove()
    print("\(target.name): \(count) inputs, all holds")
  }
}

#if LIBFUZZER
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ look: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer's own main is linked but unused, and needs this symbol.
@_cdecl("LLVMFuzzerTestOneInput")
public func look(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  if let violation = FuzzProgram.target.violation(Array(UnsafeBufferPointer(start: bytes, count: count))) {
    fatalError("\(FuzzProgram.target.name): \(violation)")
  }
  return 0
}

private func drive(_ words: [String]) {
  var count = Int32(words.count)
  let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
  for (index, word) in words.enumerated() { pointers[index] = strdup(word) }
  pointers[words.count] = nil
  var argument = pointers
  exit(runDriver(&count, &argument) { look($0, $1) })
}
#endif
