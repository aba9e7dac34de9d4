internal import DrayKit

/// A word that completes what was typed, with its meaning for shells that show one.
struct Candidate: Equatable {
  var word: String
  var meaning = ""
}
