package corfu.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.mirror.MirrorException.Reason;
import corfu.mirror.MirrorOptions.CutOff;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.LogEntry;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A cluster that is written to, and one that mirrors it. Readers of the mirror see a prefix of the
 * source, in the log and in all streams, unless it is promoted.
 */
final class MirrorPlay implements ApplicationRun {

  private static final List<StreamId> STREAMS =
      List.of(StreamId.named("a"), StreamId.named("b"), StreamId.named("c"));

  private static final String OWN = "own";
  private static final String HOLE = "hole";
  private static final long THINK_NANOS_MAX = 200_000_000L;
  private static final int PROMOTED_ONE_IN = 60;
  private static final int LOOKED_AT = 40;

  private final ApplicationContext stage;
  private final boolean isPromoted;
  private final boolean isForgetful;

  /** The observed content of an address, in the source or the mirror. */
  private final NavigableMap<Long, String> inSource = new TreeMap<>();

  private final NavigableMap<Long, String> inMirror = new TreeMap<>();

  /** The observed range of a stream of the mirror: its first complete address, and its end. */
  private final List<Seen> seen = new ArrayList<>();

  private boolean hasBeenPromoted;

  private record Seen(String who, StreamId stream, long tail, List<Long> addresses) {}

  private MirrorPlay(ApplicationContext stage, boolean isPromoted, boolean isForgetful) {
    this.stage = stage;
    this.isPromoted = isPromoted;
    this.isForgetful = isForgetful;
  }

  /** The mirror stays one. */
  static Application mirrored() {
    return new Clusters(false, false);
  }

  /** The source forgets so much that mirrors are cut off. */
  static Application mirroredFromAForgetfulSource() {
    return new Clusters(false, true);
  }

  /** The mirror is promoted at some time, though its source lives. */
  static Application promoted() {
    return new Clusters(true, false);
  }

  private record Clusters(boolean isPromoted, boolean isForgetful) implements Application {
    @Override
    public ApplicationRun begin(ApplicationContext stage) {
      return new MirrorPlay(stage, isPromoted, isForgetful);
    }

    @Override
    public boolean hasSecondCluster() {
      return true;
    }
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    return process.first().isPresent()
        ? seat -> run(seat, this::useMirror)
        : seat -> run(seat, this::useSource);
  }

  /** A thread's work until the play is over. */
  private interface Turn {
    void take(ApplicationClient seat, RandomGenerator chance);
  }

  private void run(ApplicationClient seat, Turn turn) {
    RandomGenerator chance = seat.chance();
    while (!seat.isOver().getAsBoolean()) {
      try {
        turn.take(seat, chance);
      } catch (CorfuException failed) {
        stage.count("call, failed");
      } catch (RuntimeException failure) {
        stage.unexpected(seat.name(), failure);
      }
      long most = chance.nextLong(1, THINK_NANOS_MAX);
      seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
    }
  }

  // -------------------------------------------------------------------------------- the source

  private void useSource(ApplicationClient seat, RandomGenerator chance) {
    Corfu corfu = seat.corfu();
    switch (chance.nextInt(isForgetful ? 10 : 8)) {
      case 0, 1 -> append(corfu, Set.of(), "");
      case 2, 3, 4 -> append(corfu, Set.of(stream(chance)), "");
      case 5 -> append(corfu, Set.copyOf(STREAMS), "");
      case 6 -> look(seat, inSource);
      case 7 -> {
        long tail = corfu.log().tail().value();
        if (tail > 0) {
          var unused = corfu.log().fill(new Address(tail - 1));
          stage.count("fill");
        }
      }
      case 8 -> {
        LogStream stream = Streams.over(corfu).open(stream(chance));
        StreamReader reader = stream.reader();
        reader.sync();
        List<StreamRead.Entry> entries = reader.readRest();
        if (!entries.isEmpty()) {
          stream.trim(entries.getLast().streamAddress());
          stage.count("stream trim");
        }
      }
      default -> {
        long tail = corfu.log().tail().value();
        corfu.log().prefixTrim(new Address(chance.nextLong(tail + 1)));
        stage.count("prefix trim");
      }
    }
  }

  private static StreamId stream(RandomGenerator chance) {
    return STREAMS.get(chance.nextInt(STREAMS.size()));
  }

  private void append(Corfu corfu, Set<StreamId> streams, String prefix) {
    ByteBuffer payload = ByteBuffer.wrap((prefix + stage.newValue()).getBytes(UTF_8));
    if (streams.isEmpty()) {
      var unused = corfu.log().append(payload);
    } else {
      var unused = Streams.over(corfu).append(List.copyOf(streams), payload);
    }
    stage.count(prefix + "append");
  }

  // -------------------------------------------------------------------------------- the mirror

  private static Reconfiguration changes(ApplicationClient seat) {
    return new Reconfiguration(
        seat.world(), seat.transport(), Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  private void useMirror(ApplicationClient seat, RandomGenerator chance) {
    if (isPromoted && chance.nextInt(PROMOTED_ONE_IN) == 0) {
      promote(seat);
    }
    switch (chance.nextInt(7)) {
      case 0, 1, 2 -> mirror(seat, chance);
      case 6 -> renew(seat);
      case 3, 4 -> look(seat, inMirror);
      default -> {
        StreamId stream = stream(chance);
        lookAtStream(seat, stream);
        if (hasBeenPromoted) { // but perhaps it is a mirror again
          append(seat.corfu(), Set.of(stream), OWN);
        }
      }
    }
  }

  private static MirrorOptions options(RandomGenerator chance) {
    return MirrorOptions.DEFAULT
        .withMaxPiece(1 + chance.nextInt(9))
        .withForgetEvery(Duration.ofMillis(chance.nextInt(2_000)));
  }

  private void mirror(ApplicationClient seat, RandomGenerator chance) {
    MirrorOptions options = options(chance);
    try {
      mirror(seat, options, chance.nextInt(30));
    } catch (MirrorException end) {
      stage.count("mirror ends: " + end.reason());
      switch (end.reason()) {
        case CUT_OFF -> acrossTrims(seat, options);
        case PROMOTED, NOT_FRESH -> {
          if (!isPromoted) {
            stage.unexpected(seat.name(), end);
          }
        }
        default -> stage.unexpected(seat.name(), end);
      }
    }
  }

  private void acrossTrims(ApplicationClient seat, MirrorOptions options) {
    try {
      mirror(seat, options.withCutOff(CutOff.GO_ON), 5);
      stage.count("goes on across trims");
    } catch (MirrorException end) {
      stage.unexpected(seat.name(), end);
    }
  }

  /** Some steps; then another one goes on, here or elsewhere. */
  private void mirror(ApplicationClient seat, MirrorOptions options, int steps) {
    Corfu source = seat.first().orElseThrow();
    Mirror mirror = Mirror.open(source, seat.corfu(), changes(seat), options);
    int[] left = {steps};
    mirror.run(
        () -> left[0]-- > 0 && !seat.isOver().getAsBoolean(),
        trouble -> stage.count("mirror, failed"));
    stage.count("mirror");
  }

  /** Whoever mirrors just then is sealed out in the middle of a piece; what is seen then? */
  private void renew(ApplicationClient seat) {
    var unused = changes(seat).renew(seat.corfu().layout());
    look(seat, inMirror);
    stage.count("renewal of the mirror");
  }

  private void promote(ApplicationClient seat) {
    Promotion promotion = new Promotion(seat.corfu(), changes(seat));
    try {
      Address own = promotion.byForce();
      hasBeenPromoted = true;
      stage.count("promotion");
      stage.reached("a mirror is promoted at " + (own.value() > 0 ? "some" : "no") + " address");
    } catch (MirrorException none) {
      if (none.reason() != Reason.NO_MIRROR) {
        throw none;
      }
      stage.count("promotion of what is no mirror");
    }
  }

  private void look(ApplicationClient seat, Map<Long, String> where) {
    Corfu corfu = seat.corfu();
    Address tail = corfu.log().tail();
    long from = Math.max(0, tail.value() - LOOKED_AT);
    note(seat.name(), corfu.log().read(new Address(from), tail), where);
    stage.count(where == inMirror ? "look at the mirror" : "look at the source");
  }

  private void lookAtStream(ApplicationClient seat, StreamId stream) {
    Address tail = seat.corfu().log().tail();
    StreamReader reader = Streams.over(seat.corfu()).open(stream).reader();
    reader.sync();
    List<Long> addresses =
        reader.readRest().stream().map(entry -> entry.address().value()).toList();
    seen.add(new Seen(seat.name(), stream, tail.value(), addresses));
    stage.count("look at a stream of the mirror");
  }

  /** An address holds the same for ever, until it is trimmed. */
  private void note(String who, List<LogEntry> entries, Map<Long, String> where) {
    for (LogEntry entry : entries) {
      String content = content(entry);
      if (entry instanceof LogEntry.Trimmed) {
        continue;
      }
      String before = where.putIfAbsent(entry.address().value(), content);
      if (entry instanceof LogEntry.Unwritten || (before != null && !before.equals(content))) {
        stage.broken("Mirror", "%s saw %s, which was %s before".formatted(who, entry, before));
      }
    }
  }

  private static String content(LogEntry entry) {
    return switch (entry) {
      case LogEntry.Data data ->
          UTF_8.decode(data.payload()) + " in " + new TreeSet<>(streams(data));
      case LogEntry.Hole hole -> HOLE;
      case LogEntry.Trimmed trimmed -> "trimmed";
      case LogEntry.Unwritten unwritten -> "unwritten";
    };
  }

  private static Set<String> streams(LogEntry.Data data) {
    return data.streams().stream()
        .map(in -> in.stream() + "@" + in.streamAddress())
        .collect(Collectors.toSet());
  }

  // ------------------------------------------------------------------------------------ the end

  @Override
  public void audit(ApplicationClient auditor) {
    Corfu source = auditor.first().orElseThrow();
    Corfu target = auditor.corfu();
    MirrorStatus status = Mirror.status(target, Optional.empty());
    boolean isMirror = status.origin().isPresent() || status.copied().value() == 0;
    if (!isMirror && !isPromoted) {
      stage.broken("Mirror", "it was never promoted, but it is " + status);
    }
    if (isMirror) {
      finish(auditor);
    }
    note(auditor.name(), all(source), inSource);
    note(auditor.name(), all(target), inMirror);
    STREAMS.forEach(stream -> lookAtStream(auditor, stream));
    compare(isMirror);
  }

  private static List<LogEntry> all(Corfu corfu) {
    return corfu.log().read(new Address(0), corfu.log().tail());
  }

  /** The next run copies everything, however earlier runs ended. */
  private void finish(ApplicationClient auditor) {
    MirrorOptions options = MirrorOptions.DEFAULT.withCutOff(CutOff.GO_ON);
    Corfu source = auditor.first().orElseThrow();
    Mirror mirror = Mirror.open(source, auditor.corfu(), changes(auditor), options);
    while (mirror.step() > 0) {
      // until nothing is left
    }
    MirrorStatus status = mirror.status();
    if (status.lag().orElse(1) != 0 || !status.isComplete()) {
      stage.broken("Mirror", "nothing is wrong any more, but it is " + status);
    }
  }

  /** All that was ever seen in the mirror was in the source, up to where it is its own. */
  private void compare(boolean isMirror) {
    long own =
        inMirror.entrySet().stream()
            .filter(one -> one.getValue().startsWith(OWN))
            .mapToLong(Map.Entry::getKey)
            .min()
            .orElse(Long.MAX_VALUE);
    boolean isWhole = isMirror && !isForgetful;
    inMirror.forEach(
        (address, here) -> {
          String there = inSource.getOrDefault(address, here); // or trimmed before it was seen
          boolean isRight =
              address >= own
                  ? here.startsWith(OWN) || here.equals(HOLE)
                  : here.equals(there) || (here.equals(HOLE) && !isWhole);
          if (!isRight) {
            stage.broken("Mirror", "%d holds %s, in the source %s".formatted(address, here, there));
          }
        });
    seen.forEach(one -> compare(one, own, isWhole));
  }

  /** A piece of the stream, without gaps up to the tail that was known before. */
  private void compare(Seen one, long own, boolean isWhole) {
    List<Long> here = one.addresses().stream().filter(address -> address < own).toList();
    long first = here.isEmpty() ? -1 : here.getFirst();
    long last = here.isEmpty() ? -1 : here.getLast();
    long sure = stage.isUpToDate() && isWhole ? Math.max(last, one.tail() - 1) : last;
    List<Long> wanted =
        inSource.entrySet().stream()
            .filter(entry -> entry.getValue().contains(one.stream() + "@"))
            .map(Map.Entry::getKey)
            .filter(address -> address >= first && address <= Math.min(sure, own - 1))
            .toList();
    if (isWhole ? !here.equals(wanted) : !isAscending(here)) {
      stage.broken("Mirror", "%s of %s".formatted(one, wanted));
    }
  }

  private static boolean isAscending(List<Long> addresses) {
    return addresses.equals(addresses.stream().sorted().distinct().toList());
  }

  @Override
  public void check() {}
}
