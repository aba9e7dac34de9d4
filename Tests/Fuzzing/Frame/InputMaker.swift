// Makes inputs from a seed: noise, the words of a grammar, and good samples with a fault. libFuzzer, if present, does this
// better; this generator works everywhere, and always gives the same inputs.

/// A small generator of random numbers (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &self) }
}

/// Makes inputs for one target.
struct InputMaker {
  /// Pieces that break parsers of any language.
  private static let oddities: [[UInt8]] =
    [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "-1", "1e999",
      "nan",
      "0x10", "+1", "00", "\u{0}", "\r\n", "\n", "\t", "\u{1B}[2J", "\u{202E}", "\u{200D}", "\u{301}", "\u{FEFF}",
      "\u{2028}", "\u{85}", "\u{FFFD}", "\u{1F600}", "e\u{301}", "ß", "İ", "\"", "'", "\\", "%", "%00", "%2F", "..",
      "/",
      ":", ";", ",", "=", "@", "?", "#", "[", "]", "<", ">", "&", " ", "*", "-",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80]]

  private let words: [[UInt8]]
  private let seeds: [[UInt8]]
  private var random: SeededRandom

  init(_ target: FuzzTarget, seed: UInt64) {
    words = target.words.map { Array($0.utf8) }
    seeds = target.seeds
    // Each target has a separate sequence, so that a new target does not change the others'.
    random = SeededRandom(target.name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    switch random.below(10) {
    case 0: return noise(random.below(64))
    case 1, 2: return (0..<random.below(16)).flatMap { _ in piece() }
    default:
      guard var input = seeds.randomElement(using: &random) else { return noise(64) }
      for _ in 0...random.below(4) { change(&input) }
      return input
    }
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func piece() -> [UInt8] {
    if random.below(4) > 0, let word = words.randomElement(using: &random) { return word }
    return random.below(4) == 0
      ? noise(1 + random.below(3)) : InputMaker.oddities[random.below(InputMaker.oddities.count)]
  }

  private mutating func range(in input: [UInt8]) -> Range<Int> {
    let lower = random.below(input.count + 1)
    return lower..<min(input.count, lower + random.below(16))
  }

  private mutating func change(_ input: inout [UInt8]) {
    let place = range(in: input)
    switch random.below(9) {
    case 0: input.removeSubrange(place)
    case 1: input.insert(contentsOf: piece(), at: place.lowerBound)
    case 2: input.replaceSubrange(place, with: piece())
    case 3: input.insert(contentsOf: input[place], at: random.below(input.count + 1))
    case 4:
      for _ in 0..<random.below(200) { input.insert(contentsOf: input[place], at: place.lowerBound) }
    case 5: input.removeSubrange(place.lowerBound...)
    case 6: changeNumber(&input, from: place.lowerBound)
    case 7:
      guard let other = seeds.randomElement(using: &random) else { return }
      input = Array(input[..<place.lowerBound]) + other[min(random.below(other.count + 1), other.count)...]
    default:
      guard !input.isEmpty else { return }
      input[random.below(input.count)] = UInt8.random(in: 0...255, using: &random)
    }
  }

  /// Replaces a number by another.
  private mutating func changeNumber(_ input: inout [UInt8], from place: Int) {
    let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
    guard let start = input[place...].firstIndex(where: isDigit) else { return }
    let end = input[start...].firstIndex { !isDigit($0) } ?? input.endIndex
    let numbers = ["0", "1", "9223372036854775807", "9223372036854775808", "4294967296", "99999999999999999999", "007"]
    input.replaceSubrange(start..<end, with: Array(numbers[random.below(numbers.count)].utf8))
  }
}
