internal import DrayKit

struct Candidate: Equatable {
  var word: String
  var meaning = ""
}
