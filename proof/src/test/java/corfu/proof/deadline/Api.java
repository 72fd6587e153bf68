package corfu.proof.deadline;

import corfu.objects.PastObjects;
import corfu.objects.RemoteObjects;
import corfu.objects.RemotePastObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.Index;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedIndexedMap;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedTree;
import corfu.objects.history.ObjectHistory;
import corfu.objects.serial.InLog;
import corfu.objects.tango.TangoRuntime;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscription;
import corfu.smr.StateMachineReplica;
import corfu.store.KeyValueStore;
import corfu.store.StoreSnapshot;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A class whose public methods users call.
 *
 * @param make makes an instance at a stand
 */
record Api(String name, Class<?> type, Function<Stand, Object> make) {

  private static final ObjectType<ReplicatedMap<String, String>> MAP =
      ReplicatedMap.of(String.class, String.class);

  /** Methods that every object has. */
  private static final Set<String> NO_CALLS = Set.of("wait", "notify", "notifyAll", "getClass");

  /** Returns all classes with calls that reach a cluster. */
  static List<Api> all() {
    return Stream.of(log(), objects(), collections(), collectionsOpened(), far(), others())
        .flatMap(apis -> apis)
        .toList();
  }

  private static Stream<Api> log() {
    return Stream.of(
        new Api("corfu", Corfu.class, Stand::corfu),
        new Api("log", Log.class, stand -> stand.corfu().log()),
        new Api("streams", Streams.class, Stand::streams),
        new Api("stream", LogStream.class, Stand::stream),
        new Api("reader", StreamReader.class, stand -> stand.stream().reader()),
        new Api("heads", HeadReader.class, stand -> stand.stream().heads(StreamAddress.ZERO, 64)),
        new Api(
            "subscription",
            Subscription.class,
            stand -> stand.stream().subscribe(StreamAddress.ZERO, entry -> {})));
  }

  private static Stream<Api> objects() {
    return Stream.of(
        new Api("objects", ReplicatedObjects.class, Stand::objects),
        new Api("objects, used", ReplicatedObjects.class, Api::used),
        new Api("past", PastObjects.class, stand -> used(stand).at(stand.newest())),
        new Api("remote", RemoteObjects.class, stand -> used(stand).remote()),
        new Api(
            "remote past",
            RemotePastObjects.class,
            stand -> used(stand).remote().at(stand.newest())),
        new Api(
            "history",
            ObjectHistory.class,
            stand -> used(stand).history(stand.objects().idOf(stand.map()))),
        new Api(
            "past map",
            ReplicatedMap.class,
            stand -> used(stand).at(stand.newest()).open(stand.name() + " map", MAP)),
        new Api(
            "remote past map",
            ReplicatedMap.class,
            stand -> used(stand).remote().at(stand.newest()).open(stand.name() + " map", MAP)),
        new Api("account", Stand.Account.class, stand -> account(stand)),
        new Api(
            "account, played",
            Stand.Account.class,
            stand -> {
              Stand.Account account = account(stand);
              String unused = account.note();
              return account;
            }),
        new Api("value in the log", InLog.class, Api::valueInLog));
  }

  private static Stand.Account account(Stand stand) {
    Stand.Account account = stand.objects().open(stand.name(), Stand.Account.class);
    String unused = account.describe(InLog.of("a"));
    return stand.fresh().open(stand.name(), Stand.Account.class);
  }

  private static ReplicatedObjects used(Stand stand) {
    String unused = stand.transfer();
    return stand.objects();
  }

  private static Object valueInLog(Stand stand) {
    var map = stand.objects().open(stand.name(), ReplicatedMap.inLog(String.class, String.class));
    map.put("a", InLog.of("b"));
    return map.getOrDefault("a", InLog.of("c"));
  }

  /** Collections that the client has not played yet. */
  private static Stream<Api> collections() {
    return types().map(each -> new Api(each.name, each.type, stand -> opened(stand, each.made)));
  }

  /** Collections that the client has already played. */
  private static Stream<Api> collectionsOpened() {
    return types()
        .filter(each -> Set.of("map", "queue", "composed tree").contains(each.name))
        .map(
            each ->
                new Api(
                    each.name + ", played",
                    each.type,
                    stand -> {
                      Object collection = opened(stand, each.made);
                      String unused = collection.toString();
                      return collection;
                    }));
  }

  private static Stream<Api> far() {
    return types()
        .filter(each -> Set.of("map", "queue", "composed tree").contains(each.name))
        .map(
            each ->
                new Api(
                    "remote " + each.name,
                    each.type,
                    stand -> {
                      Object here = opened(stand, each.made);
                      assert here != null;
                      return stand.objects().remote().open(stand.name(), each.made);
                    }));
  }

  /** A kind of objects. */
  private record Kind(String name, Class<?> type, ObjectType<?> made) {}

  private static Stream<Kind> types() {
    return Stream.of(
        new Kind("map", ReplicatedMap.class, ReplicatedMap.of(String.class, String.class)),
        new Kind("register", ReplicatedRegister.class, ReplicatedRegister.of(String.class)),
        new Kind("counter", ReplicatedCounter.class, ReplicatedCounter.type()),
        new Kind("queue", ReplicatedQueue.class, ReplicatedQueue.of(String.class)),
        new Kind("stack", ReplicatedStack.class, ReplicatedStack.of(String.class)),
        new Kind("set", ReplicatedSet.class, ReplicatedSet.of(String.class)),
        new Kind("list", ReplicatedList.class, ReplicatedList.of(String.class)),
        new Kind(
            "range map",
            ReplicatedRangeMap.class,
            ReplicatedRangeMap.of(String.class, String.class)),
        new Kind(
            "indexed map",
            ReplicatedIndexedMap.class,
            ReplicatedIndexedMap.<String, String>of(
                String.class, String.class, Index.of("a", (key, value) -> value))),
        new Kind("composed map", ComposedMap.class, ComposedMap.of(String.class, String.class)),
        new Kind("composed tree", ComposedTree.class, ComposedTree.of(String.class, String.class)));
  }

  private static <T> Object opened(Stand stand, ObjectType<T> type) {
    return stand.objects().open(stand.name(), type);
  }

  private static Stream<Api> others() {
    return Stream.of(
        new Api("tango", TangoRuntime.class, Stand::tango),
        new Api("replica", StateMachineReplica.class, Stand::replica),
        new Api("store", KeyValueStore.class, Stand::store),
        new Api("snapshot of a store", StoreSnapshot.class, stand -> stand.store().snapshot()));
  }

  /**
   * Returns the preparation of a method's call, without which the call would have nothing to do.
   */
  Consumer<Stand> before(Method method) {
    return switch (type.getSimpleName() + "." + method.getName()) {
      case "ReplicatedObjects.txEnd" ->
          stand -> {
            stand.objects().txBegin();
            String unused = stand.transfer();
          };
      case "ReplicatedObjects.txAbort" -> stand -> stand.objects().txBegin();
      case "TangoRuntime.endTx", "TangoRuntime.abortTx" ->
          stand -> {
            var id = corfu.protocol.StreamId.named(stand.name());
            stand.tango().beginTx();
            stand.tango().queryHelper(id);
            stand.tango().updateHelper(id, java.nio.ByteBuffer.wrap(new byte[] {2}));
          };
      default -> stand -> {};
    };
  }

  /** Returns the methods that users call, always in the same order. */
  List<Method> methods() {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.isBridge() && !NO_CALLS.contains(method.getName()))
        .filter(method -> method.getDeclaringClass() != Object.class)
        .sorted(Comparator.comparing(Method::toString))
        .toList();
  }
}
