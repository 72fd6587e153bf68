package corfu.sim.isolation;

import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The order of each key's values. A list's order is that of its longest reading. A register's order
 * follows from transactions that read it before they write it. The constructor also finds anomalies
 * of single reads.
 */
final class Versions {

  private final List<String> anomalies;

  private final Map<Version, ObservedTransaction> writers = new HashMap<>();
  private final Map<String, List<Long>> lists = new LinkedHashMap<>();
  private final Map<Version, Version> registers = new LinkedHashMap<>(); // the next version of each
  private final Set<String> cleared = new HashSet<>(); // registers that had no value again
  private final Set<Version> seen = new HashSet<>(); // in registers
  private final Map<Version, Version> successors;

  /**
   * A value of a key, which is the last element if the key is a list. {@link
   * ObservedTransaction#NOTHING} stands for the empty list or register.
   */
  record Version(String key, long value) {}

  Versions(List<ObservedTransaction> history, List<String> anomalies) {
    this.anomalies = anomalies;
    history.forEach(this::collectWrites);
    history.forEach(this::collectLists);
    history.forEach(this::collectRegisters);
    history.stream().filter(this::hasHappened).forEach(this::follow);
    this.successors = allSuccessors();
  }

  // ------------------------------------------------------------------------------ known versions

  /** Returns the transaction that wrote a version, or empty for the first version. */
  Optional<ObservedTransaction> writer(Version version) {
    return Optional.ofNullable(writers.get(version));
  }

  /** Returns the versions that are known to follow each other directly. */
  Map<Version, Version> successors() {
    return successors;
  }

  private Map<Version, Version> allSuccessors() {
    Map<Version, Version> all = new LinkedHashMap<>(registers);
    lists.forEach(
        (key, values) -> {
          Version before = new Version(key, ObservedTransaction.NOTHING);
          for (long value : values) {
            Version next = new Version(key, value);
            all.put(before, next);
            before = next;
          }
        });
    return all;
  }

  /** Returns a list's contents according to all readings together. */
  List<Long> longest(String list) {
    return lists.getOrDefault(list, List.of());
  }

  /**
   * Returns whether the transaction has happened. If its fate is unknown, it has if another
   * transaction has read its writes.
   */
  boolean hasHappened(ObservedTransaction transaction) {
    return transaction.fate() == Fate.COMMITTED
        || (transaction.fate() == Fate.UNKNOWN && isSeen(transaction));
  }

  private boolean isSeen(ObservedTransaction transaction) {
    for (Access access : transaction.accesses()) {
      boolean isThere =
          switch (access) {
            case Access.Appended(String key, long value) -> longest(key).contains(value);
            case Access.Wrote(String key, long value) -> seen.contains(new Version(key, value));
            default -> false;
          };
      if (isThere) {
        return true;
      }
    }
    return false;
  }

  /** Returns the other transactions' versions that a transaction has read, one per key. */
  List<Version> seen(ObservedTransaction transaction) {
    Map<String, Version> versions = new LinkedHashMap<>();
    Map<String, List<Long>> own = new HashMap<>();
    Map<String, Long> written = new HashMap<>();
    for (Access access : transaction.accesses()) {
      switch (access) {
        case Access.Appended(String key, long value) ->
            own.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
        case Access.Wrote(String key, long value) -> written.put(key, value);
        case Access.SawList(String key, List<Long> values) -> {
          List<Long> others = withoutEnd(values, own.getOrDefault(key, List.of()));
          versions.putIfAbsent(key, last(key, others));
        }
        case Access.Saw(String key, long value) -> {
          if (!written.containsKey(key)) {
            versions.putIfAbsent(key, new Version(key, value));
          }
        }
      }
    }
    return List.copyOf(versions.values());
  }

  private static Version last(String key, List<Long> values) {
    return new Version(key, values.isEmpty() ? ObservedTransaction.NOTHING : values.getLast());
  }

  private static List<Long> withoutEnd(List<Long> values, List<Long> end) {
    return endsWith(values, end) ? values.subList(0, values.size() - end.size()) : values;
  }

  private static boolean endsWith(List<Long> values, List<Long> end) {
    int rest = values.size() - end.size();
    return rest >= 0 && values.subList(rest, values.size()).equals(end);
  }

  // ----------------------------------------------------------------------------------- anomalies

  @SuppressWarnings("AnnotateFormatMethod") // would need a dependency for one annotation
  private void broken(String anomaly, String how, Object... details) {
    anomalies.add(anomaly + ": " + String.format(how, details));
  }

  private void collectWrites(ObservedTransaction transaction) {
    for (Access access : transaction.accesses()) {
      switch (access) {
        case Access.Appended(String key, long value) ->
            writers.put(new Version(key, value), transaction);
        case Access.Wrote(String key, long value) -> {
          if (value == ObservedTransaction.NOTHING) {
            cleared.add(key);
          } else {
            writers.put(new Version(key, value), transaction);
          }
        }
        default -> {}
      }
    }
  }

  private void collectLists(ObservedTransaction transaction) {
    Map<String, List<Long>> own = new HashMap<>();
    Map<String, List<Long>> before = new HashMap<>();
    for (Access access : transaction.accesses()) {
      if (access instanceof Access.Appended(String key, long value)) {
        own.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
      } else if (access instanceof Access.SawList(String key, List<Long> values)) {
        List<Long> mine = own.getOrDefault(key, List.of());
        if (!endsWith(values, mine)) {
          broken("internal, own writes", "%s has appended %s", transaction, mine);
          continue;
        }
        List<Long> others = withoutEnd(values, mine);
        List<Long> earlier = before.putIfAbsent(key, others);
        if (earlier != null && !earlier.equals(others)) {
          broken("internal, read skew", "%s saw two states of %s", transaction, key);
        }
        checkReading(transaction, key, others);
      }
    }
  }

  private void checkReading(ObservedTransaction reader, String key, List<Long> values) {
    List<Long> longest = longest(key);
    List<Long> longer = values.size() > longest.size() ? values : longest;
    List<Long> shorter = longer == values ? longest : values;
    if (!longer.subList(0, shorter.size()).equals(shorter)) {
      broken("incompatible order", "%s, but others saw %s=%s", reader, key, longest);
      return;
    }
    if (longer == values) {
      for (long value : values.subList(longest.size(), values.size())) {
        checkSource(reader, new Version(key, value));
      }
      if (values.stream().distinct().count() < values.size()) {
        broken("duplicate", "%s: a value of %s is there twice", reader, key);
      }
      lists.put(key, List.copyOf(values));
    }
    checkIntermediate(reader, last(key, values));
  }

  /** Checks that a transaction wrote the version, and was not aborted. */
  private void checkSource(ObservedTransaction reader, Version version) {
    Optional<ObservedTransaction> writer = writer(version);
    if (writer.isEmpty()) {
      broken("garbage read", "%s was never written, but %s", version, reader);
    } else if (writer.get().fate() == Fate.ABORTED) {
      broken("G1a, aborted read", "%s, but %s was aborted", reader, writer.get());
    }
  }

  /**
   * Checks that the version is the writer's last write to the key: earlier ones must stay hidden.
   */
  private void checkIntermediate(ObservedTransaction reader, Version version) {
    Optional<ObservedTransaction> writer = writer(version).filter(by -> !by.is(reader));
    if (writer.isPresent() && lastWrite(writer.get(), version.key()) != version.value()) {
      broken("G1b, intermediate read", "%s, in the middle of %s", reader, writer.get());
    }
  }

  private static long lastWrite(ObservedTransaction writer, String key) {
    long last = ObservedTransaction.NOTHING;
    for (Access access : writer.accesses()) {
      switch (access) {
        case Access.Appended(String to, long value) when to.equals(key) -> last = value;
        case Access.Wrote(String to, long value) when to.equals(key) -> last = value;
        default -> {}
      }
    }
    return last;
  }

  private void collectRegisters(ObservedTransaction transaction) {
    Map<String, Long> sees = new HashMap<>(); // now, with its own writes
    for (Access access : transaction.accesses()) {
      if (access instanceof Access.Wrote(String key, long value)) {
        sees.put(key, value);
      } else if (access instanceof Access.Saw(String key, long value)) {
        Long expected = sees.putIfAbsent(key, value);
        if (expected != null && expected != value) {
          broken("internal, registers", "%s saw %s, not %s", transaction, access, expected);
        } else if (expected == null && value != ObservedTransaction.NOTHING) {
          Version version = new Version(key, value);
          seen.add(version);
          checkSource(transaction, version);
          checkIntermediate(transaction, version);
        }
      }
    }
  }

  /**
   * Notes successors: if a transaction read a register and then wrote it, the written version
   * follows the read one.
   */
  private void follow(ObservedTransaction transaction) {
    for (Version before : seen(transaction)) {
      long value = lastWrite(transaction, before.key());
      boolean isFirst = before.value() == ObservedTransaction.NOTHING;
      if (lists.containsKey(before.key())
          || value == ObservedTransaction.NOTHING
          || (isFirst && cleared.contains(before.key()))) {
        continue;
      }
      Version other = registers.putIfAbsent(before, new Version(before.key(), value));
      if (other != null) {
        Object first = writer(other).orElse(transaction);
        broken("G-single, lost update", "%s and %s both overwrote %s", first, transaction, before);
      }
    }
  }
}
