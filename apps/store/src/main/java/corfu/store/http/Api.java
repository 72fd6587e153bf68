package corfu.store.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import corfu.protocol.Address;
import corfu.store.Changes;
import corfu.store.Store;
import corfu.store.StoreChange;
import corfu.store.StoreSnapshot;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What each request does. Thread-safe. */
final class Api {

  private static final String KEYS = "/v1/keys";
  private static final int USUAL_LIMIT = 100;
  private static final int MOST_CHANGES = 10_000;

  /** What a request is, for metrics, and what it does. */
  record Operation(String name, Action action) {}

  @FunctionalInterface
  interface Action {
    Reply answer(Call call);
  }

  private final Store store;
  private final Json json;
  private final Snapshots snapshots;

  Api(Store store, Json json, Snapshots snapshots) {
    this.store = store;
    this.json = json;
    this.snapshots = snapshots;
  }

  /** The operation that a request asks for. */
  Operation operation(String method, String path) {
    if (path.startsWith(KEYS + "/")) {
      return switch (method) {
        case "GET" -> new Operation("get", this::get);
        case "PUT" -> new Operation("put", this::put);
        case "DELETE" -> new Operation("delete", this::delete);
        default -> throw notThis(method, path, "GET, PUT or DELETE");
      };
    }
    return switch (path) {
      case KEYS -> only("GET", method, path, new Operation("scan", this::scan));
      case "/v1/get" -> only("POST", method, path, new Operation("multi-get", this::getAll));
      case "/v1/write" -> only("POST", method, path, new Operation("write", this::write));
      case "/v1/snapshot" -> only("GET", method, path, new Operation("snapshot", this::snapshot));
      case "/v1/history" -> only("GET", method, path, new Operation("history", this::history));
      case "/v1/rollback" -> only("POST", method, path, new Operation("rollback", this::rollBack));
      case "/v1/checkpoint" ->
          only("POST", method, path, new Operation("checkpoint", this::checkpoint));
      case "/v1/compact" -> only("POST", method, path, new Operation("compact", this::compact));
      case "/health" -> only("GET", method, path, new Operation("health", this::health));
      default -> throw new Refusal(404, "no-such-path", "there is no " + path);
    };
  }

  private static Operation only(String wanted, String method, String path, Operation operation) {
    if (!method.equals(wanted)) {
      throw notThis(method, path, wanted);
    }
    return operation;
  }

  private static Refusal notThis(String method, String path, String wanted) {
    return new Refusal(
        405, "no-such-method", path + " is asked with " + wanted + ", not with " + method);
  }

  private static String key(Call call) {
    return Call.decoded(call.path().substring(KEYS.length() + 1));
  }

  private Optional<StoreSnapshot> past(OptionalLong at) {
    return at.isPresent()
        ? Optional.of(snapshots.at(new Address(at.getAsLong())))
        : Optional.empty();
  }

  // ----------------------------------------------------------------------------- single keys

  private Reply get(Call call) {
    String key = key(call);
    Optional<StoreSnapshot> past = past(call.number("at"));
    Optional<Versioned> found = past.isPresent() ? past.get().get(key) : store.get(key);
    if (found.isEmpty()) {
      throw new Refusal(404, "no-such-key", "key \"" + key + "\" has no value");
    }
    Versioned value = found.get();
    boolean raw =
        call.header("Accept").filter(type -> type.contains("application/octet-stream")).isPresent();
    Reply reply =
        raw ? Reply.bytes(value.value()) : Reply.json(200, json.text(json.entry(key, value)));
    return reply.with("ETag", "\"" + value.version() + "\"");
  }

  private Reply put(Call call) {
    return change(call, new Changes().put(key(call), call.body()));
  }

  private Reply delete(Call call) {
    return change(call, new Changes().remove(key(call)));
  }

  private Reply change(Call call, Changes changes) {
    Optional<String> match = call.header("If-Match");
    Optional<String> noneMatch = call.header("If-None-Match");
    if (match.isPresent()) {
      changes.expect(key(call), Call.number("If-Match", match.get().replace("\"", "")));
    }
    if (noneMatch.isPresent()) {
      if (!noneMatch.get().equals("*")) {
        throw Refusal.badRequest("If-None-Match is to be *, but not " + noneMatch.get());
      }
      changes.expectAbsent(key(call));
    }
    return outcome(store.write(changes), 412);
  }

  private Reply outcome(WriteOutcome outcome, int conflictStatus) {
    return switch (outcome) {
      case WriteOutcome.Written(long version) ->
          Reply.json(200, json.text(json.object().put("version", version)));
      case WriteOutcome.Conflict(Optional<String> key, OptionalLong version) -> {
        ObjectNode node = json.object().put("code", "conflict");
        node.put("error", conflict(key, version));
        key.ifPresent(name -> node.put("key", name));
        if (version.isPresent()) {
          node.put("version", version.getAsLong());
        } else {
          node.putNull("version");
        }
        yield Reply.json(conflictStatus, json.text(node));
      }
    };
  }

  private static String conflict(Optional<String> key, OptionalLong version) {
    if (key.isEmpty()) {
      return "the store has been changed meanwhile; nothing happened";
    }
    return version.isPresent()
        ? "key \"%s\" has version %d; nothing happened".formatted(key.get(), version.getAsLong())
        : "key \"%s\" has no value; nothing happened".formatted(key.get());
  }

  // ------------------------------------------------------------------------------- many keys

  private Reply getAll(Call call) {
    JsonNode wish = json.parse(call.body(), List.of("keys", "at"));
    List<String> keys = Json.strings(wish, "keys");
    OptionalLong at =
        wish.has("at")
            ? OptionalLong.of(Call.number("at", wish.path("at").asText()))
            : OptionalLong.empty();
    Optional<StoreSnapshot> past = past(at);
    return entries(past.isPresent() ? past.get().getAll(keys) : store.getAll(keys));
  }

  private Reply entries(Map<String, Versioned> found) {
    ObjectNode node = json.object();
    addEntries(node, found);
    return Reply.json(200, json.text(node));
  }

  private void addEntries(ObjectNode to, Map<String, Versioned> found) {
    ArrayNode list = to.putArray("entries");
    found.forEach((key, value) -> list.add(json.entry(key, value)));
  }

  private Reply scan(Call call) {
    String from = call.parameter("from").orElse("");
    int limit = limit(call);
    Optional<StoreSnapshot> past = past(call.number("at"));
    Map<String, Versioned> found =
        past.isPresent() ? past.get().scan(from, limit) : store.scan(from, limit);
    return entries(found);
  }

  private static int limit(Call call) {
    return (int) Math.min(call.number("limit").orElse(USUAL_LIMIT), Integer.MAX_VALUE);
  }

  private Reply write(Call call) {
    JsonNode wish = json.parse(call.body(), List.of("put", "remove", "expect"));
    return outcome(store.write(Json.changes(wish)), 409);
  }

  // -------------------------------------------------------------------------------- the past

  private Reply snapshot(Call call) {
    StoreSnapshot now = snapshots.now();
    ObjectNode node = json.object().put("address", now.address().value());
    return Reply.json(200, json.text(node.put("keys", now.size())));
  }

  /** There are enough. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private Reply history(Call call) {
    int limit = Math.min(limit(call), MOST_CHANGES);
    long from = call.number("from").orElse(0);
    long to = call.number("to").orElse(Long.MAX_VALUE);
    List<StoreChange> changes = new ArrayList<>();
    try {
      store.history(
          new Address(from),
          new Address(to),
          change -> {
            if (changes.size() == limit) {
              throw new Enough();
            }
            changes.add(change);
          });
    } catch (Enough more) {
      // the next ones begin behind the last one's version
    }
    ObjectNode node = json.object();
    ArrayNode list = node.putArray("changes");
    for (StoreChange change : changes) {
      ObjectNode one = list.addObject().put("version", change.version());
      change.written().forEach(one.putArray("written")::add);
      change.removed().forEach(one.putArray("removed")::add);
    }
    return Reply.json(200, json.text(node));
  }

  private Reply rollBack(Call call) {
    JsonNode wish = json.parse(call.body(), List.of("to"));
    long to = Call.number("to", wish.path("to").asText());
    return outcome(store.rollBack(new Address(to)), 409);
  }

  // ---------------------------------------------------------------------------- housekeeping

  private Reply checkpoint(Call call) {
    return address("address", store.checkpoint());
  }

  private Reply compact(Call call) {
    return address("historyFrom", store.compact());
  }

  private Reply address(String name, Address address) {
    return Reply.json(200, json.text(json.object().put(name, address.value())));
  }

  private Reply health(Call call) {
    StoreSnapshot now = store.snapshot(); // the cluster answers
    ObjectNode node = json.object().put("status", "ok").put("store", store.name());
    return Reply.json(200, json.text(node.put("address", now.address().value())));
  }
}
