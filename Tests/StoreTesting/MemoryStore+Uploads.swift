// The uploads to object stores that have begun and not ended.

package import DrayCore
import DrayStore

extension MemoryStore {
  package func beginUpload(_ mark: UploadMark) async throws(Failure) {
    try queue.change { (state) throws(Failure) in
      state.uploads.removeAll { $0.id == mark.id && $0.key == mark.key && $0.storedPlace == mark.storedPlace }
      state.uploads.append(mark)
    }
  }

  package func endUpload(_ mark: UploadMark) async throws(Failure) {
    try queue.change { (state) throws(Failure) in
      state.uploads.removeAll { $0.id == mark.id && $0.key == mark.key && $0.storedPlace == mark.storedPlace }
    }
  }

  package func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] {
    queue.look { state in
      state.uploads.filter { name == nil || $0.part == name }.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    }
  }
}
