// Passes each call to the code that carries it out, and answers the calls about the service itself.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import WebServer

extension NativeAPI {
  func carryOut(_ call: APICall, _ request: WebRequest) async throws(APIFailure) -> WebResponse {
    switch call {
    case .service: return service(request)
    case .document: return NativeAPI.json { $0 = OpenAPIDocument.text }
    case .jobs(let window): return try await jobs(window)
    case .queue: return try await queue()
    case .job(let id): return try await job(id)
    case .parts(let id): return try await parts(id)
    case .add(let order): return try await add(order, request)
    case .act(let action, let ids): return NativeAPI.results(try await act(action, ids))
    case .actOnAll(let action): return NativeAPI.results(try await actOnAll(action))
    case .actOnOne(let action, let id): return try await actOnOne(action, id)
    case .undo(let tokens): return NativeAPI.results(try await undo(tokens))
    case .undoOne(let id):
      guard let token = await removals.last(of: id) else { throw .noJob(id) }
      return NativeAPI.results(try await undo([token]))
    case .move(let ids, let place): return try await move(ids, place)
    case .change(let id, let change): return try await self.change(id, change)
    case .limits: return try await limits()
    case .setLimits(let limits): return try await set(limits)
    case .queues: return try await queues()
    case .changeQueue(let name, let order): return try await changeQueue(name, order)
    case .removeQueue(let name): return try await removeQueue(name)
    case .feeds: return try await feeds()
    case .readFeed(let order): return try await read(order)
    case .queueFeed(let order, let guids, let directory): return try await queue(order, guids, directory)
    case .sync(let order): return try await sync(order)
    case .probe(let url): return try await probe(url)
    case .links(let text): return try links(text)
    case .space(let directory): return try await space(directory)
    case .subscriptions: return try await shownSubscriptions()
    case .subscribe(let subscription): return try await subscribe(subscription)
    case .unsubscribe(let id): return try await unsubscribe(id)
    case .events(let cursor): return try await events(cursor)
    case .logIn(let secret): return try logIn(secret, request)
    case .logOut: return WebResponse(204, ["Set-Cookie": keeper.logOut(request)])
    }
  }

  private func service(_ request: WebRequest) -> WebResponse {
    NativeAPI.object { json in
      json.field("version", DrayVersion.text)
      json.field("commit", settings.commit)
      json.field("libcurl", DownloadManager.library.version)
      json.field("pid", Int(System.processID))
      json.field("started", seconds: settings.started)
      json.field("home", manager.home.path)
      json.array("roots", settings.rule.directories.roots) { $0.value($1) }
      json.field("directory", settings.directory)
      json.field("secretNeeded", keeper.policy.demandsSecret(request))
      json.field("readOnly", false)
      json.array("schemes", Scheme.all.filter(isAllowed)) { $0.value($1.name) }
      json.array("settings", usualSettings) { json, setting in
        json.object { json in
          json.field("name", setting.name)
          json.field("value", setting.value)
        }
      }
    }
  }

  private func isAllowed(_ scheme: Scheme) -> Bool {
    settings.rule.grants.contains(.keys) || SchemePolicy.allows(scheme, from: .document)
  }

  /// The values of the settings that the configuration adds to clients' jobs, without secrets.
  private var usualSettings: [(name: String, value: String)] {
    guard let url = try? RequestURL.parse("https://host.invalid/").url else { return [] }
    var job = JobSpecification(request: TransferRequest(url: url), directory: settings.directory)
    settings.prepare.usual(&job)
    return Setting.all.filter(\.isForClients).compactMap { setting in
      let values = setting.values(job).map { setting.isSecret($0) ? "…" : $0 }
      let text = setting.isUnset(in: job) ? setting.usual : values.joined(separator: ", ")
      return text.flatMap { $0.isEmpty ? nil : (setting.name, $0) }
    }
  }

  private func logIn(_ secret: String, _ request: WebRequest) throws(APIFailure) -> WebResponse {
    do throws(AccessRefusal) {
      let login = try keeper.logIn(secret, request)
      var response = NativeAPI.object { $0.field("key", login.key) }
      response.fields["Set-Cookie"] = login.cookie
      return response
    } catch {
      return error.response
    }
  }
}
