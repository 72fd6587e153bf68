package corfu.sim.isolation;

import corfu.sim.isolation.Dependency.Kind;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.isolation.Versions.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Checks a history of transactions against the guarantee of each of them.
 *
 * <p>A transaction is one point in a total order. A transaction under snapshot isolation is two
 * points, one for its reads and one for its writes. Between them no other transaction writes the
 * same keys. Reads and overwrites of other transactions' values define which points are before
 * which, and so do the moments of beginnings and ends. The history is explained if and only if
 * these dependencies have no cycle, as far as the order of versions is known.
 *
 * <p>Anomalies have the names of Adya and Elle. Reads of aborted attempts count: they, too, must
 * have read the state of one moment.
 */
public final class IsolationChecker {

  private static final List<Set<Kind>> LEVELS =
      List.of(
          EnumSet.of(Kind.WRITE_WRITE, Kind.START),
          EnumSet.of(Kind.WRITE_WRITE, Kind.START, Kind.WRITE_READ),
          EnumSet.of(Kind.WRITE_WRITE, Kind.START, Kind.WRITE_READ, Kind.READ_WRITE),
          EnumSet.of(Kind.WRITE_WRITE, Kind.START, Kind.TIME),
          EnumSet.of(Kind.WRITE_WRITE, Kind.START, Kind.WRITE_READ, Kind.TIME),
          EnumSet.allOf(Kind.class));

  private final List<ObservedTransaction> history;
  private final Clock clock;
  private final List<String> anomalies = new ArrayList<>();
  private final Versions versions;
  private final DependencyGraph graph = new DependencyGraph();
  private final List<String> names = new ArrayList<>(); // by node
  private final Map<String, Points> points = new LinkedHashMap<>();

  /** The transactions whose order in real time counts. */
  public enum Clock {
    /** All transactions. */
    SHARED,
    /**
     * The transactions of each process separately: another process need not know what one process
     * was told.
     */
    ONE_A_PROCESS
  }

  /** The nodes at which a transaction reads and writes: mostly the same node. */
  private record Points(int reads, int writes) {}

  private IsolationChecker(List<ObservedTransaction> history, Clock clock) {
    this.history = history;
    this.clock = clock;
    this.versions = new Versions(history, anomalies);
  }

  /** Returns the anomalies of a history, the worst first, or an empty list if it has none. */
  public static List<String> anomalies(List<ObservedTransaction> history, Clock clock) {
    return new IsolationChecker(history, clock).check();
  }

  private List<String> check() {
    checkNothingIsLost();
    for (ObservedTransaction transaction : history) {
      points.put(transaction.name(), pointsOf(transaction));
    }
    history.forEach(this::dependOnSeen);
    versions.successors().forEach(this::dependOnOrder);
    dependOnTime();
    for (Set<Kind> kinds : LEVELS) {
      Optional<List<Dependency>> circle = graph.circle(kinds);
      if (circle.isPresent()) {
        anomalies.add(explained(circle.get()));
        break; // other cycles may follow from this one
      }
    }
    return anomalies;
  }

  /** Checks that a value that is known to be appended is there for later readers. */
  private void checkNothingIsLost() {
    Map<String, ObservedTransaction> lastReader = new HashMap<>();
    for (ObservedTransaction reader : history) {
      for (Access access : reader.accesses()) {
        if (access instanceof Access.SawList saw && reader.promise() == Promise.LAST) {
          lastReader.put(saw.key(), reader);
        }
      }
    }
    for (ObservedTransaction writer : history) {
      for (Access access : writer.accesses()) {
        if (access instanceof Access.Appended(String key, long value)
            && writer.fate() == Fate.COMMITTED
            && lastReader.containsKey(key)
            && !versions.longest(key).contains(value)) {
          anomalies.add("lost: %s of %s is nowhere in the end".formatted(access, writer));
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------- points

  private Points pointsOf(ObservedTransaction transaction) {
    int reads = node(transaction.name());
    boolean isTwo =
        transaction.promise() == Promise.SNAPSHOT
            && transaction.writes()
            && versions.hasHappened(transaction);
    int writes = isTwo ? node(transaction.name()) : reads;
    graph.add(reads, writes, Kind.START, "reads before it writes");
    return new Points(reads, writes);
  }

  private int node(String name) {
    names.add(name);
    return graph.addNode();
  }

  private Points of(ObservedTransaction transaction) {
    return points.getOrDefault(transaction.name(), new Points(-1, -1));
  }

  // ------------------------------------------------------------------------------- dependencies

  private void dependOnSeen(ObservedTransaction reader) {
    for (Version version : versions.seen(reader)) {
      Optional<ObservedTransaction> writer = versions.writer(version).filter(by -> !by.is(reader));
      writer.ifPresent(
          by ->
              graph.add(
                  of(by).writes(),
                  of(reader).reads(),
                  Kind.WRITE_READ,
                  "which saw its " + version));
      Optional.ofNullable(versions.successors().get(version))
          .flatMap(versions::writer)
          .filter(by -> !by.is(reader))
          .ifPresent(
              by ->
                  graph.add(
                      of(reader).reads(),
                      of(by).writes(),
                      Kind.READ_WRITE,
                      "which overwrote the " + version + " it saw"));
    }
  }

  private void dependOnOrder(Version before, Version after) {
    Optional<ObservedTransaction> first = versions.writer(before);
    Optional<ObservedTransaction> second = versions.writer(after);
    if (first.isPresent() && second.isPresent() && !first.get().is(second.get())) {
      // The snapshot of a writer under snapshot isolation contains the value that it overwrites.
      boolean hasRead = !versions.seen(second.get()).isEmpty();
      int to = hasRead ? of(second.get()).reads() : of(second.get()).writes();
      graph.add(of(first.get()).writes(), to, Kind.WRITE_WRITE, "which overwrote its " + before);
    }
  }

  // --------------------------------------------------------------------------------------- time

  /** Links each end to a chain of moments, from which the transactions that begin later follow. */
  private void dependOnTime() {
    Map<String, List<ObservedTransaction>> byClock = new LinkedHashMap<>();
    for (ObservedTransaction transaction : history) {
      String whose = clock == Clock.SHARED ? "" : transaction.process();
      byClock.computeIfAbsent(whose, w -> new ArrayList<>()).add(transaction);
    }
    byClock.values().forEach(this::dependOnTime);
    if (clock != Clock.SHARED) {
      dependOnTheLast();
    }
  }

  private record Moment(long at, boolean isEnd, ObservedTransaction of) {}

  private void dependOnTime(List<ObservedTransaction> transactions) {
    List<Moment> moments = new ArrayList<>();
    for (ObservedTransaction each : transactions) {
      if (isOfItsTime(each)) {
        moments.add(new Moment(each.invoked(), false, each));
      }
      if (each.returned() != ObservedTransaction.NEVER && each.fate() != Fate.UNKNOWN) {
        moments.add(new Moment(each.returned(), true, each));
      }
    }
    moments.sort(Comparator.comparingLong(Moment::at));
    int now = -1;
    for (Moment moment : moments) {
      if (moment.isEnd()) {
        int next = node("");
        if (now >= 0) {
          graph.add(now, next, Kind.TIME, "");
        }
        graph.add(of(moment.of()).writes(), next, Kind.TIME, "");
        now = next;
      } else if (now >= 0) {
        graph.add(now, of(moment.of()).reads(), Kind.TIME, "");
      }
    }
  }

  /** Returns whether the transaction must see everything that had ended when it began. */
  private boolean isOfItsTime(ObservedTransaction transaction) {
    return switch (transaction.promise()) {
      case STRICT, SNAPSHOT, LAST -> true;
      case STRICT_IF_DONE -> versions.hasHappened(transaction);
      case PAST -> false;
    };
  }

  private void dependOnTheLast() {
    for (ObservedTransaction last : history) {
      if (last.promise() == Promise.LAST) {
        for (ObservedTransaction each : history) {
          if (each.returned() < last.invoked() && each.fate() != Fate.UNKNOWN) {
            graph.add(of(each).writes(), of(last).reads(), Kind.TIME, "");
          }
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------ messages

  private String explained(List<Dependency> circle) {
    StringJoiner text = new StringJoiner("\n  ", name(circle) + "\n  ", "");
    for (Dependency each : startingAtATransaction(circle)) {
      String from = names.get(each.from());
      String to = names.get(each.to());
      if (each.kind() == Kind.TIME) {
        if (!to.isEmpty()) {
          text.add("... before " + to + " began");
        } else if (!from.isEmpty()) {
          text.add(from + " had ended ...");
        }
      } else {
        text.add(from + " is before " + to + ", " + each.why());
      }
    }
    circle.stream()
        .map(each -> names.get(each.from()))
        .distinct()
        .flatMap(name -> history.stream().filter(each -> each.name().equals(name)))
        .forEach(each -> text.add(each.toString()));
    return text.toString();
  }

  private List<Dependency> startingAtATransaction(List<Dependency> circle) {
    int first = 0;
    while (names.get(circle.get(first).from()).isEmpty()) {
      first++;
    }
    List<Dependency> turned = new ArrayList<>(circle.subList(first, circle.size()));
    turned.addAll(circle.subList(0, first));
    return turned;
  }

  private String name(List<Dependency> circle) {
    long reads = DependencyGraph.reads(circle);
    boolean hasFlow = circle.stream().anyMatch(each -> each.kind() == Kind.WRITE_READ);
    boolean hasTime = circle.stream().anyMatch(each -> each.kind() == Kind.TIME);
    String what =
        switch ((int) Math.min(reads, 2)) {
          case 0 -> hasFlow || hasTime ? "G1c, circular information flow" : "G0, write cycle";
          case 1 -> "G-single, read skew";
          default -> "G2, anti-dependency cycle";
        };
    String when = clock == Clock.SHARED ? " with real time" : " with the order of a process";
    return what + (hasTime ? when : "") + ":";
  }
}
