package corfu.proof.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.objects.history.ObjectHistory;
import corfu.objects.tango.TangoRuntime;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.mirror.Import;
import corfu.runtime.rebuild.Rebuild;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.Streams;
import corfu.smr.StateMachineReplica;
import corfu.store.KeyValueStore;
import corfu.store.client.StoreClient;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@link CallsEndTest} omits no class with calls that reach a cluster. */
class ApisTest {

  /** One class of each package of the public API. */
  private static final List<Class<?>> PACKAGES =
      List.of(
          Corfu.class,
          Streams.class,
          Reconfiguration.class,
          Rebuild.class,
          Import.class,
          AccessControl.class,
          ReplicatedObjects.class,
          ReplicatedMap.class,
          ComposedMap.class,
          ObjectHistory.class,
          TangoRuntime.class,
          StateMachineReplica.class,
          KeyValueStore.class,
          StoreClient.class);

  /** Public classes without such calls, or with their own tests. */
  private static final Set<String> OTHERS =
      Set.of(
          // for administrators and servers: each has its own timeout
          "AccessControl",
          "AuditLog",
          "AuditReader",
          "PolicyWatch",
          "Import",
          "EntryRepair",
          "Observers",
          "ClusterHealth",
          "Rebuild",
          "Reconfiguration",
          // parts of the APIs above
          "CallScope",
          "Deadline",
          "DeadlineLock",
          "Places",
          "SharedQuestion",
          "Stages",
          "StreamAccess",
          "StreamEnds",
          "Subscriber",
          // implemented or passed by users
          "Changes",
          "ComposedObject",
          "History",
          "HistoryEntry",
          "Parts",
          "StateMachine",
          "TangoObject",
          "DivergenceListener",
          "FailureListener",
          "ReplicatedCollection",
          // values
          "CatalogueState",
          "CollectionOperations",
          "CollectionType",
          "Follow",
          "EntryPart",
          "HeadRead",
          "LogEntry",
          "Sequence",
          "StreamAppend",
          "StreamRead",
          "TrieMap",
          "WriteOutcome",
          // over HTTP: see StoreClientTest
          "StoreClient");

  @Test
  void everyClassThatTakesCallsIsAmongThem() throws Exception {
    Set<String> known = new TreeSet<>(OTHERS);
    Api.all().forEach(api -> known.add(api.type().getSimpleName()));
    Set<String> found = new TreeSet<>();
    for (Class<?> one : PACKAGES) {
      classesBeside(one)
          .filter(ApisTest::mayTakeCalls)
          .forEach(each -> found.add(each.getSimpleName()));
    }
    assertThat(found).as("found at all").contains("Corfu", "KeyValueStore");
    assertThat(known).containsAll(found);
  }

  private static boolean mayTakeCalls(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && !type.isRecord()
        && !type.isEnum()
        && !type.isAnnotation()
        && !Throwable.class.isAssignableFrom(type);
  }

  private static Stream<Class<?>> classesBeside(Class<?> one)
      throws IOException, URISyntaxException {
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(root)) {
      return classesIn(root, one).stream();
    }
    try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + root.toUri()), Map.of())) {
      return classesIn(jar.getPath("/"), one).stream();
    }
  }

  private static List<Class<?>> classesIn(Path root, Class<?> one) throws IOException {
    String room = one.getPackageName();
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve(room.replace('.', '/')))) {
      for (Path file : files.collect(Collectors.toList())) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.contains("$") && !name.contains("-")) {
          classes.add(load(room + "." + name.replace(".class", ""), one));
        }
      }
    }
    return classes;
  }

  private static Class<?> load(String name, Class<?> beside) {
    try {
      return Class.forName(name, false, beside.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
