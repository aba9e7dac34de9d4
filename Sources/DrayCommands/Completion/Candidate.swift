internal import DrayKit

/// A word that can complete what the user typed, with a meaning for the shells that show one.
struct Candidate: Equatable {
  var word: String
  var meaning = ""
}
