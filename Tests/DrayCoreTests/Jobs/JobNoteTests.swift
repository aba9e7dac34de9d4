// Notes of jobs, and the part that the final report repeats.

import DrayCore
import Testing

@Suite("Job notes")
struct JobNoteTests {
  @Test(
    "other remarks are kept apart from a restart",
    arguments: [
      ([String](), StartOver?.none, String?.none), (["a"], nil, "a"), (["a", "b"], nil, "a; b"), ([], .asked, nil),
      (["a", "b"], .asked, "a; b"), ([], .changed("ETag was \"x; y\" and is \"z\""), nil),
      (["a"], .changed("ETag was \"x; y\" and is \"; started over: \""), "a"),
    ])
  func told(_ notes: [String], _ reason: StartOver?, _ left: String?) {
    let note = JobNote.joined(notes, startedOver: reason)
    #expect(note.flatMap(JobNote.withoutStartOver) == left)
    if let reason { #expect(note?.hasSuffix(JobNote.startedOver(reason)) == true) }
    // Notes from publishing precede the restart's.
    let more = JobNote.adding("m", to: note)
    #expect(JobNote.withoutStartOver(more) == JobNote.joined(["m"] + notes, startedOver: nil))
  }
}
