// Examines another program's partial file when the user names it, without changing it.

internal import DrayDocuments
internal import DrayEngine
internal import Posix

extension Adoption {
  /// The suffix that turns the name of a file into that of aria2's control file for it.
  package static let controlSuffix = ".aria2"

  /// Examines a file to adopt, and the record that its program keeps beside it. The call blocks the calling thread.
  /// - Parameter path: An absolute path.
  /// - Throws: Kind `usage` for a file that cannot be adopted, or whose record cannot be read.
  package static func look(at path: String) throws(Failure) -> Adoption {
    let (directory, name) = try place(of: path)
    if name.hasSuffix(controlSuffix), directory.exists(String(name.dropLast(controlSuffix.count))) {
      throw refused(path, "it is the control file of another one", advice: "name the file without \(controlSuffix)")
    }
    guard directory.exists(name) else { throw refused(path, "it does not exist", advice: "check the path") }
    guard let file = try open(name, in: directory, path), let identity = try? file.identity() else {
      let what = directory.isDirectory(name) ? "it is a directory" : "it is not a regular file"
      throw refused(path, what, advice: "name the file itself; links are not followed")
    }
    let control = name + controlSuffix
    guard directory.exists(control) else { return Adoption(path: path, identity: identity) }
    return Adoption(path: path, identity: identity, control: try record(control, in: directory))
  }

  private static func record(_ name: String, in directory: TargetDirectory) throws(Failure) -> ControlFile {
    let path = PathText.join(directory.path, name)
    let advice: Advice = "move it away, and all of the file is compared"
    guard let file = try open(name, in: directory, path) else {
      throw refused(path, "it is not a regular file", advice: advice)
    }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try file.start(Aria2Control.longest + 1) } catch {
      throw refused(path, "it cannot be read: \(error.text)", advice: advice)
    }
    do throws(DocumentError) {
      let control = try Aria2Control.parse(bytes)
      return ControlFile(path: path, size: control.size, done: AdoptionRule.longest(control.done))
    } catch {
      var failure = error.failure(path)
      failure.advice = advice
      throw failure
    }
  }

  private static func open(
    _ name: String, in directory: TargetDirectory, _ path: String
  ) throws(Failure) -> PartFile? {
    do throws(SystemError) { return try PartFile.openPublished(name, in: directory) } catch {
      throw refused(path, "it cannot be read: \(error.text)", advice: "check its permissions")
    }
  }

  /// Returns the directory and the file's name.
  static func place(of path: String) throws(Failure) -> (TargetDirectory, String) {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let parent = path.hasSuffix("/" + name) ? String(path.dropLast(name.count + 1)) : path
    do throws(SystemError) { return (try TargetDirectory(path: parent.isEmpty ? "/" : parent), name) } catch {
      throw refused(path, "its directory cannot be opened: \(error.text)", advice: "check the path")
    }
  }

  private static func refused(_ path: String, _ reason: String, advice: Advice) -> Failure {
    Failure(.usage, TextSafety.escaped(path), "it cannot be adopted: \(reason)", advice: advice)
  }
}
