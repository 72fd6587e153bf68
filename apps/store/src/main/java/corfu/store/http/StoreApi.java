package corfu.store.http;

import static corfu.protocol.Permission.APPEND;
import static corfu.protocol.Permission.OPERATE;
import static corfu.protocol.Permission.READ;

import com.fasterxml.jackson.databind.node.ObjectNode;
import corfu.protocol.Address;
import corfu.protocol.Permission;
import corfu.store.Changes;
import corfu.store.KeyValueStore;
import corfu.store.StoreChange;
import corfu.store.StoreSnapshot;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The HTTP API: it maps requests to operations of the store. Thread-safe. */
final class StoreApi {

  private static final String KEYS = "/v1/keys";
  private static final int USUAL_LIMIT = 100;
  private static final int MOST_CHANGES = 10_000;

  /**
   * An operation.
   *
   * @param name the name in the metrics
   * @param needs the permission of its senders, or empty if everyone may use it
   * @param action the action
   */
  record Operation(String name, Optional<Permission> needs, Action action) {

    Operation(String name, Permission needs, Action action) {
      this(name, Optional.of(needs), action);
    }
  }

  /** Reads a whole request, and returns the remaining work. */
  @FunctionalInterface
  interface Action {
    Supplier<StoreResponse> prepare(StoreRequest call);
  }

  /** Returns the action of a request without a body. */
  private static Action bodiless(Function<StoreRequest, StoreResponse> work) {
    return call -> () -> work.apply(call);
  }

  private final KeyValueStore store;
  private final Json json;
  private final SnapshotCache snapshots;
  private final int maxBodyBytes;

  StoreApi(KeyValueStore store, Json json, SnapshotCache snapshots, int maxBodyBytes) {
    this.store = store;
    this.maxBodyBytes = maxBodyBytes;
    this.json = json;
    this.snapshots = snapshots;
  }

  /** Returns the operation of a request. */
  Operation operation(String method, String path) {
    if (path.startsWith(KEYS + "/")) {
      return switch (method) {
        case "GET" -> new Operation("get", READ, bodiless(this::get));
        case "PUT" -> new Operation("put", APPEND, this::put);
        case "DELETE" -> new Operation("delete", APPEND, bodiless(this::delete));
        default -> throw notThis(method, path, "GET, PUT or DELETE");
      };
    }
    return switch (path) {
      case KEYS -> only("GET", method, path, new Operation("scan", READ, bodiless(this::scan)));
      case "/v1/get" -> only("POST", method, path, new Operation("multi-get", READ, this::getAll));
      case "/v1/write" -> only("POST", method, path, new Operation("write", APPEND, this::write));
      case "/v1/snapshot" ->
          only("GET", method, path, new Operation("snapshot", READ, bodiless(this::snapshot)));
      case "/v1/history" ->
          only("GET", method, path, new Operation("history", READ, bodiless(this::history)));
      case "/v1/rollback" ->
          only("POST", method, path, new Operation("rollback", APPEND, this::rollBack));
      case "/v1/checkpoint" ->
          only(
              "POST",
              method,
              path,
              new Operation("checkpoint", OPERATE, bodiless(this::checkpoint)));
      case "/v1/compact" ->
          only("POST", method, path, new Operation("compact", OPERATE, bodiless(this::compact)));
      case "/health" ->
          only(
              "GET",
              method,
              path,
              new Operation("health", Optional.empty(), bodiless(this::health)));
      default -> throw new HttpErrorException(404, "no-such-path", "there is no " + path);
    };
  }

  private static Operation only(String wanted, String method, String path, Operation operation) {
    if (!method.equals(wanted)) {
      throw notThis(method, path, wanted);
    }
    return operation;
  }

  private static HttpErrorException notThis(String method, String path, String wanted) {
    return new HttpErrorException(
        405, "no-such-method", path + " is for " + wanted + ", and not for " + method);
  }

  private static String key(StoreRequest call) {
    return StoreRequest.decoded(call.path().substring(KEYS.length() + 1));
  }

  private Optional<StoreSnapshot> past(OptionalLong at) {
    return at.isPresent()
        ? Optional.of(snapshots.at(new Address(at.getAsLong())))
        : Optional.empty();
  }

  // ----------------------------------------------------------------------------- single keys

  private StoreResponse get(StoreRequest call) {
    String key = key(call);
    Optional<StoreSnapshot> past = past(call.number("at"));
    Versioned value = getAll(List.of(key), past, call).get(key);
    if (value == null) {
      throw new HttpErrorException(404, "no-such-key", "key \"" + key + "\" has no value");
    }
    boolean raw =
        call.header("Accept").filter(type -> type.contains("application/octet-stream")).isPresent();
    StoreResponse reply =
        raw ? StoreResponse.bytes(value.value()) : StoreResponse.json(json.entry(key, value));
    return reply.with("ETag", "\"" + value.version() + "\"");
  }

  private Supplier<StoreResponse> put(StoreRequest call) {
    String key = key(call);
    int longest = Math.min(maxBodyBytes, store.options().maxValueBytes());
    byte[] value = call.body(longest, InputStream::readAllBytes);
    return () -> change(call, new Changes().put(key, value));
  }

  private StoreResponse delete(StoreRequest call) {
    return change(call, new Changes().remove(key(call)));
  }

  private StoreResponse change(StoreRequest call, Changes changes) {
    Optional<String> match = call.header("If-Match");
    Optional<String> noneMatch = call.header("If-None-Match");
    if (match.isPresent() || noneMatch.isPresent()) {
      call.require(READ); // the outcome tells the version of the key
    }
    if (match.isPresent()) {
      changes.expect(key(call), StoreRequest.number("If-Match", match.get().replace("\"", "")));
    }
    if (noneMatch.isPresent()) {
      if (!noneMatch.get().equals("*")) {
        throw HttpErrorException.badRequest("If-None-Match must be *, but is  " + noneMatch.get());
      }
      changes.expectAbsent(key(call));
    }
    return outcome(store.write(changes), 412);
  }

  private StoreResponse outcome(WriteOutcome outcome, int conflictStatus) {
    return switch (outcome) {
      case WriteOutcome.Written(long version) ->
          StoreResponse.json(200, json.text(json.object().put("version", version)));
      case WriteOutcome.Conflict(Optional<String> key, OptionalLong version) -> {
        ObjectNode node = json.object().put("code", "conflict");
        node.put("error", conflict(key, version));
        key.ifPresent(name -> node.put("key", name));
        if (version.isPresent()) {
          node.put("version", version.getAsLong());
        } else {
          node.putNull("version");
        }
        yield StoreResponse.json(conflictStatus, json.text(node));
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

  private Supplier<StoreResponse> getAll(StoreRequest call) {
    JsonBody.Wish wish = call.body(maxBodyBytes, body -> json(body, call).wish());
    OptionalLong at =
        wish.at().isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(StoreRequest.number("at", wish.at()));
    return () -> StoreResponse.json(json.entries(getAll(wish.keys(), past(at), call)));
  }

  private JsonBody json(InputStream body, StoreRequest call) {
    return new JsonBody(json.factory(), body, call.memory(), store.options().maxKeys());
  }

  private Map<String, Versioned> getAll(
      List<String> keys, Optional<StoreSnapshot> past, StoreRequest call) {
    LongConsumer room = roomFor(keys.size(), call);
    return past.isPresent() ? past.get().getAll(keys, room) : store.getAll(keys, room);
  }

  /** Reserves memory for values before they are read, once even if they are read again. */
  private static LongConsumer roomFor(int keys, StoreRequest call) {
    long held = call.memory().held() + (long) JsonBody.BYTES_A_KEY * keys;
    return bytes -> call.memory().growTo(held + bytes);
  }

  private StoreResponse scan(StoreRequest call) {
    String from = call.parameter("from").orElse("");
    int limit = Math.min(limit(call), store.options().maxKeys());
    Optional<StoreSnapshot> past = past(call.number("at"));
    LongConsumer room = roomFor(limit, call);
    Map<String, Versioned> found =
        past.isPresent() ? past.get().scan(from, limit, room) : store.scan(from, limit, room);
    return StoreResponse.json(json.entries(found));
  }

  private static int limit(StoreRequest call) {
    return (int) Math.min(call.number("limit").orElse(USUAL_LIMIT), Integer.MAX_VALUE);
  }

  private Supplier<StoreResponse> write(StoreRequest call) {
    Changes changes = call.body(maxBodyBytes, body -> json(body, call).changes());
    if (changes.isConditional()) {
      call.require(READ); // the outcome tells versions of keys
    }
    return () -> outcome(store.write(changes), 409);
  }

  // -------------------------------------------------------------------------------- the past

  private StoreResponse snapshot(StoreRequest call) {
    StoreSnapshot now = snapshots.now();
    ObjectNode node = json.object().put("address", now.address().value());
    return StoreResponse.json(200, json.text(node.put("keys", now.size())));
  }

  /** Ends a listing that has enough results. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private StoreResponse history(StoreRequest call) {
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
            call.memory().reserve(cost(change));
            changes.add(change);
          });
    } catch (Enough more) {
      // the next request begins behind the last version
    }
    return StoreResponse.json(json.changes(changes));
  }

  private static long cost(StoreChange change) {
    long cost = JsonBody.BYTES_A_KEY;
    for (List<String> keys : List.of(change.written(), change.removed())) {
      for (String key : keys) {
        cost += JsonBody.BYTES_A_KEY + 2L * key.length();
      }
    }
    return cost;
  }

  private Supplier<StoreResponse> rollBack(StoreRequest call) {
    call.require(READ); // the outcome tells whether the store has changed
    long to =
        StoreRequest.number("to", call.body(maxBodyBytes, body -> json(body, call).only("to")));
    return () -> outcome(store.rollBack(new Address(to)), 409);
  }

  // ---------------------------------------------------------------------------- housekeeping

  private StoreResponse checkpoint(StoreRequest call) {
    return address("address", store.checkpoint());
  }

  private StoreResponse compact(StoreRequest call) {
    return address("historyFrom", store.compact());
  }

  private StoreResponse address(String name, Address address) {
    return StoreResponse.json(200, json.text(json.object().put(name, address.value())));
  }

  private StoreResponse health(StoreRequest call) {
    StoreSnapshot now = store.snapshot(); // proves that the cluster answers
    ObjectNode node = json.object().put("status", "ok");
    if (call.isGated()) {
      return StoreResponse.json(200, json.text(node)); // everyone may ask
    }
    node.put("store", store.name());
    return StoreResponse.json(200, json.text(node.put("address", now.address().value())));
  }
}
