package corfu.zookeeper.differential;

import corfu.zookeeper.differential.Arguments.Acl;
import corfu.zookeeper.differential.Arguments.Data;
import corfu.zookeeper.differential.Request.Body;
import corfu.zookeeper.wire.RawBytes;
import corfu.zookeeper.wire.RawMulti;
import corfu.zookeeper.wire.RawMulti.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.AddWatchRequest;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CheckWatchesRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetAllChildrenNumberRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetEphemeralsRequest;
import org.apache.zookeeper.proto.GetSASLRequest;
import org.apache.zookeeper.proto.ReconfigRequest;
import org.apache.zookeeper.proto.RemoveWatchesRequest;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SetWatches;
import org.apache.zookeeper.proto.SetWatches2;
import org.apache.zookeeper.proto.SyncRequest;

/** Makes random requests of all operation codes. */
final class RequestGenerator {

  private static final long ONE_DAY_MILLIS = 24L * 3600 * 1000;
  private static final int CONTAINER = 4;
  private static final int TTL = 5;
  private static final int SEQUENTIAL_TTL = 6;

  /** Persistent, ephemeral, sequential, both, container, TTL (invalid here), and an unknown one. */
  private static final List<Integer> FLAGS =
      List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 17);

  private static final List<Integer> OPERATIONS_WITH_BODY =
      List.of(
          OpCode.create,
          OpCode.create2,
          OpCode.createTTL,
          OpCode.createContainer,
          OpCode.delete,
          OpCode.deleteContainer,
          OpCode.exists,
          OpCode.getData,
          OpCode.setData,
          OpCode.getACL,
          OpCode.setACL,
          OpCode.getChildren,
          OpCode.getChildren2,
          OpCode.sync,
          OpCode.multi,
          OpCode.multiRead,
          OpCode.checkWatches,
          OpCode.removeWatches,
          OpCode.setWatches,
          OpCode.setWatches2,
          OpCode.addWatch,
          OpCode.getEphemerals,
          OpCode.getAllChildrenNumber);

  private final Arguments arguments;
  private final Random random;

  RequestGenerator(Random random) {
    this.arguments = new Arguments(random);
    this.random = random;
  }

  /** Returns a request that may share a pipeline with others. */
  Request pipelined() {
    int die = arguments.below(200);
    if (die < 52) {
      return create();
    } else if (die < 66) {
      return delete();
    } else if (die < 86) {
      return setData();
    } else if (die < 100) {
      return multi();
    } else if (die < 104) {
      return withoutSense();
    } else if (die < 125) {
      return watches();
    }
    return read();
  }

  /** Returns a request for a step of its own. */
  Request isolated() {
    int die = arguments.below(100);
    if (die < 35) {
      return setAcl();
    } else if (die < 75) {
      return auth();
    } else if (die < 87) {
      return isolated("auth without body", OpCode.auth, context -> RawBytes.NONE);
    } else if (die < 95) {
      return isolated("sasl", OpCode.sasl, context -> new GetSASLRequest(new byte[] {1, 2}));
    }
    return isolated(
        "reconfig",
        OpCode.reconfig,
        context -> new ReconfigRequest("server.9=localhost:1:2;3", null, null, -1));
  }

  private Request create() {
    String path = arguments.pathToChange();
    Data data = arguments.data();
    Acl acl = arguments.acl();
    String rest = " %s %s acl=%s".formatted(shown(path), data, acl);
    switch (arguments.below(10)) {
      case 0 -> {
        return request(
            "createContainer" + rest,
            OpCode.createContainer,
            context -> new CreateRequest(context.path(path), data.bytes(), acl.list(), CONTAINER));
      }
      case 1 -> {
        long ttl =
            arguments.chance(90) ? ONE_DAY_MILLIS : arguments.oneOf(List.of(0L, -1L, 1L << 50));
        int flags = arguments.chance(50) ? TTL : SEQUENTIAL_TTL;
        return request(
            "createTTL" + rest + " ttl=" + ttl + " flags=" + flags,
            OpCode.createTTL,
            context ->
                new CreateTTLRequest(context.path(path), data.bytes(), acl.list(), flags, ttl));
      }
      default -> {
        int flags = arguments.oneOf(FLAGS);
        boolean two = arguments.chance(50);
        return request(
            (two ? "create2" : "create") + rest + " flags=" + flags,
            two ? OpCode.create2 : OpCode.create,
            context -> new CreateRequest(context.path(path), data.bytes(), acl.list(), flags));
      }
    }
  }

  private Request delete() {
    String path = arguments.pathToChange();
    int version = arguments.version();
    if (arguments.chance(15)) {
      String existing = path.equals(Arguments.NULL_PATH) ? "" : path; // the record permits no null
      return request(
          "deleteContainer " + shown(existing),
          OpCode.deleteContainer,
          context -> new DeleteContainerRequest(context.path(existing)));
    }
    return request(
        "delete %s version=%d".formatted(shown(path), version),
        OpCode.delete,
        context -> new DeleteRequest(context.path(path), version));
  }

  private Request setData() {
    String path = arguments.pathToChange();
    Data data = arguments.data();
    int version = arguments.version();
    return request(
        "setData %s %s version=%d".formatted(shown(path), data, version),
        OpCode.setData,
        context -> new SetDataRequest(context.path(path), data.bytes(), version));
  }

  private Request setAcl() {
    String path = arguments.pathToChange();
    Acl acl = arguments.acl();
    int version = arguments.version();
    return isolated(
        "setACL %s %s version=%d".formatted(shown(path), acl, version),
        OpCode.setACL,
        context -> new SetACLRequest(context.path(path), acl.list(), version));
  }

  private Request auth() {
    String scheme =
        arguments.oneOf(List.of("digest", "digest", "digest", "digest", "digest", "ip", "nothing"));
    String id =
        arguments.oneOf(
            List.of("alice:secret", "alice:secret", "bob:secret", "bob:wrong", "super:secret"));
    return isolated(
        "auth %s %s".formatted(scheme, id),
        OpCode.auth,
        context -> new AuthPacket(0, scheme, id.getBytes(StandardCharsets.UTF_8)));
  }

  private Request read() {
    String path = arguments.pathToRead();
    boolean watch = arguments.chance(35);
    String rest = " " + shown(path);
    String restWithWatch = rest + (watch ? " watch" : "");
    return switch (arguments.below(17)) {
      case 0, 1, 2 ->
          request(
              "exists" + restWithWatch,
              OpCode.exists,
              context -> new ExistsRequest(context.path(path), watch));
      case 3, 4, 5 ->
          request(
              "getData" + restWithWatch,
              OpCode.getData,
              context -> new GetDataRequest(context.path(path), watch));
      case 6, 7 ->
          request(
              "getChildren" + restWithWatch,
              OpCode.getChildren,
              context -> new GetChildrenRequest(context.path(path), watch));
      case 8, 9 ->
          request(
              "getChildren2" + restWithWatch,
              OpCode.getChildren2,
              context -> new GetChildren2Request(context.path(path), watch));
      case 10 ->
          request(
              "getAllChildrenNumber" + rest,
              OpCode.getAllChildrenNumber,
              context -> new GetAllChildrenNumberRequest(context.path(path)));
      case 11 ->
          request(
              "getEphemerals" + rest,
              OpCode.getEphemerals,
              context -> new GetEphemeralsRequest(context.path(path)));
      case 12 ->
          request("getACL" + rest, OpCode.getACL, context -> new GetACLRequest(context.path(path)));
      case 13 ->
          request("sync" + rest, OpCode.sync, context -> new SyncRequest(context.path(path)));
      case 14 -> request("whoAmI", OpCode.whoAmI, context -> RawBytes.NONE);
      case 15 -> request("ping", OpCode.ping, context -> RawBytes.NONE);
      default -> multiRead();
    };
  }

  private Request watches() {
    String path = arguments.pathToRead();
    switch (arguments.below(6)) {
      case 0, 1 -> {
        int mode = arguments.chance(95) ? arguments.below(2) : 7;
        return request(
            "addWatch %s mode=%d".formatted(shown(path), mode),
            OpCode.addWatch,
            context -> new AddWatchRequest(context.path(path), mode));
      }
      case 2 -> {
        int type = 1 + arguments.below(6);
        return request(
            "checkWatches %s type=%d".formatted(shown(path), type),
            OpCode.checkWatches,
            context -> new CheckWatchesRequest(context.path(path), type));
      }
      case 3 -> {
        int type = 1 + arguments.below(6);
        return request(
            "removeWatches %s type=%d".formatted(shown(path), type),
            OpCode.removeWatches,
            context -> new RemoveWatchesRequest(context.path(path), type));
      }
      default -> {
        return setWatches();
      }
    }
  }

  /** Returns a request as clients send it after a reconnect. */
  Request setWatches() {
    List<String> data = arguments.paths();
    List<String> exist = arguments.paths();
    List<String> child = arguments.paths();
    String text = "setWatches data=%s exist=%s child=%s".formatted(data, exist, child);
    if (arguments.chance(50)) {
      return request(
          text,
          OpCode.setWatches,
          context ->
              new SetWatches(
                  context.lastZxid(),
                  expanded(data, context),
                  expanded(exist, context),
                  expanded(child, context)));
    }
    List<String> persistent = arguments.paths();
    List<String> recursive = arguments.paths();
    return request(
        "%s persistent=%s recursive=%s".formatted(text, persistent, recursive),
        OpCode.setWatches2,
        context ->
            new SetWatches2(
                context.lastZxid(),
                expanded(data, context),
                expanded(exist, context),
                expanded(child, context),
                expanded(persistent, context),
                expanded(recursive, context)));
  }

  private static List<String> expanded(List<String> paths, Request.Context context) {
    return paths.stream().map(context::path).toList();
  }

  private Request multi() {
    List<Request> requests = new ArrayList<>();
    int size = arguments.below(6);
    for (int i = 0; i < size; i++) {
      requests.add(
          switch (arguments.below(10)) {
            case 0, 1, 2, 3 -> create();
            case 4, 5 -> delete();
            case 6, 7 -> setData();
            default -> check();
          });
    }
    return composed("multi", OpCode.multi, requests);
  }

  private Request check() {
    String path = arguments.pathToChange();
    int version = arguments.version();
    return request(
        "check %s version=%d".formatted(shown(path), version),
        OpCode.check,
        context -> new CheckVersionRequest(context.path(path), version));
  }

  private Request multiRead() {
    List<Request> requests = new ArrayList<>();
    int size = arguments.below(5);
    for (int i = 0; i < size; i++) {
      String path = arguments.path();
      requests.add(
          arguments.chance(50)
              ? request(
                  "getData " + shown(path),
                  OpCode.getData,
                  context -> new GetDataRequest(context.path(path), false))
              : request(
                  "getChildren " + shown(path),
                  OpCode.getChildren,
                  context -> new GetChildrenRequest(context.path(path), false)));
    }
    return composed("multiRead", OpCode.multiRead, requests);
  }

  private static Request composed(String name, int operation, List<Request> requests) {
    return request(
        requests.stream().map(Request::text).collect(Collectors.joining("; ", name + " [", "]")),
        operation,
        context ->
            new RawMulti(
                requests.stream()
                    .map(each -> new Part(each.operation(), each.body().record(context)))
                    .toList()));
  }

  /** Returns a request with a known operation code whose body is missing or random. */
  private Request withoutSense() {
    int operation = arguments.oneOf(OPERATIONS_WITH_BODY);
    if (arguments.chance(50)) {
      return request(
          "operation %d without body".formatted(operation), operation, c -> RawBytes.NONE);
    }
    byte[] bytes = new byte[20];
    random.nextBytes(bytes);
    bytes[0] = (byte) (bytes[0] | 0x40); // so that the first length is too long, or negative
    return request(
        "operation %d with random body".formatted(operation),
        operation,
        context -> new RawBytes(bytes));
  }

  private static Request request(String text, int operation, Body body) {
    return new Request(text, operation, body, false);
  }

  private static Request isolated(String text, int operation, Body body) {
    return new Request(text, operation, body, true);
  }

  private static String shown(String path) {
    return path.isEmpty() ? "\"\"" : path.replace("\u0000", "\\0").replace("\u0001", "\\1");
  }
}
