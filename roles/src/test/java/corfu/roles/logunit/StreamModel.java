package corfu.roles.logunit;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply.FoundInStreams;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The streams that a unit may have, given the possible contents of its addresses. Every entry's
 * stream address equals its log address.
 */
final class StreamModel {

  static final List<StreamId> STREAMS =
      IntStream.range(0, 5).mapToObj(i -> StreamId.named("stream " + i)).toList();

  /** Queries for all entries of all streams. */
  static final List<StreamQuery> QUERIES =
      STREAMS.stream().map(stream -> StreamQuery.below(stream, Long.MAX_VALUE)).toList();

  private static final Object TRIMMED = ReadOutcome.Trimmed.TRIMMED;

  private final Map<Long, Set<Object>> possible;
  private final Map<StreamId, Long> newest = new HashMap<>(); // newest acknowledged entry
  private final Map<StreamId, Long> trimAsked = new HashMap<>();
  private final Map<StreamId, Long> trimmed = new HashMap<>();
  private final Set<AppendId> late = new HashSet<>(); // written after a request for a trim

  /**
   * The facts that are certain at a request; the answer must have them if they are still certain
   * then.
   */
  record Asked(List<Map<Long, Set<Object>>> certain, Map<StreamId, Long> trimmed) {}

  /** A trim, and the addresses that are certainly trimmed when it is done. */
  record Trim(StreamId stream, long before, Map<Long, Set<Object>> certain) {}

  StreamModel(Map<Long, Set<Object>> possible) {
    this.possible = possible;
  }

  void forget() {
    newest.clear();
    trimAsked.clear();
    trimmed.clear();
  }

  /** Returns no headers in most cases, or some. */
  static List<StreamHeader> some(SplittableRandom random, long address) {
    int bits = random.nextInt(3) == 0 ? random.nextInt(1 << STREAMS.size()) : 0;
    return IntStream.range(0, STREAMS.size())
        .filter(i -> (bits & 1 << i) != 0)
        .mapToObj(i -> new StreamHeader(STREAMS.get(i), address, Backpointers.NONE))
        .sorted(Comparator.comparing(StreamHeader::stream))
        .toList();
  }

  /** Records that the entry may be there from now on, and may be hit by a running trim. */
  void written(Entry entry) {
    if (isBelow(trimAsked, entry)) {
      possible.get(entry.address()).add(TRIMMED);
    }
    for (int i = 0; i < entry.streamCount(); i++) {
      if (entry.address() < trimAsked.getOrDefault(entry.stream(i).stream(), 0L)) {
        late.add(entry.id());
      }
    }
  }

  void acknowledged(Entry entry) {
    for (int i = 0; i < entry.streamCount(); i++) {
      newest.merge(entry.stream(i).stream(), entry.address(), Math::max);
    }
  }

  /** Returns whether all streams of the entry have a mark above it. */
  private static boolean isBelow(Map<StreamId, Long> marks, Entry entry) {
    return entry.streamCount() > 0
        && IntStream.range(0, entry.streamCount())
            .mapToObj(i -> entry.stream(i).stream())
            .allMatch(stream -> entry.address() < marks.getOrDefault(stream, 0L));
  }

  private static boolean isIn(StreamId stream, Object outcome) {
    return outcome instanceof ReadOutcome.Found(Entry entry) && entry.stream(stream).isPresent();
  }

  Asked ask() {
    return new Asked(
        STREAMS.stream().map(stream -> certainly(o -> isIn(stream, o))).toList(),
        new HashMap<>(trimmed));
  }

  /** Returns the addresses with only such contents, which are settled. */
  private Map<Long, Set<Object>> certainly(Predicate<Object> what) {
    Map<Long, Set<Object>> certain = new HashMap<>();
    possible.forEach(
        (address, here) -> {
          if (here.stream().allMatch(what)) {
            certain.put(address, here);
          }
        });
    return certain;
  }

  void answered(Asked asked, FoundInStreams answer) {
    for (int i = 0; i < STREAMS.size(); i++) {
      StreamId stream = STREAMS.get(i);
      Occurrences found = answer.found().get(i);
      assertThat(found.trimmedBefore())
          .as("mark of %s", stream)
          .isBetween(asked.trimmed.getOrDefault(stream, 0L), trimAsked.getOrDefault(stream, 0L));
      trimmed.merge(stream, found.trimmedBefore(), Math::max); // a shown mark stays
      answered(stream, asked.certain.get(i), found);
    }
  }

  private void answered(StreamId stream, Map<Long, Set<Object>> certain, Occurrences found) {
    Set<Long> addresses = new HashSet<>();
    long last = Long.MAX_VALUE;
    for (Occurrence occurrence : found.newestFirst()) {
      long address = occurrence.address();
      assertThat(address).isEqualTo(occurrence.streamAddress()).isLessThan(last);
      assertThat(address).isGreaterThanOrEqualTo(found.trimmedBefore());
      last = address;
      addresses.add(address);
      Set<Object> here = possible.get(address);
      here.removeIf(o -> o != TRIMMED && !isIn(stream, o));
      assertThat(here).as("address %d, found in %s", address, stream).isNotEmpty();
    }
    certain.forEach(
        (address, here) -> {
          boolean stays =
              address >= found.trimmedBefore()
                  && here.equals(possible.get(address))
                  && here.stream().allMatch(o -> isIn(stream, o));
          if (stays) {
            assertThat(addresses).as("found in %s", stream).contains(address);
          }
        });
  }

  /** Checks that the ends are known, too, unless the unit reports that it has forgotten them. */
  void verifyEnds(FoundInStreams answer) {
    long highest = -1;
    for (Map.Entry<Long, Set<Object>> entry : possible.entrySet()) {
      highest = entry.getValue().contains(TRIMMED) ? Math.max(highest, entry.getKey()) : highest;
    }
    assertThat(answer.forgottenBefore()).isBetween(0L, highest + 1);
    for (int i = 0; i < STREAMS.size(); i++) {
      Occurrences found = answer.found().get(i);
      List<Occurrence> all = found.newestFirst();
      long end = all.isEmpty() ? found.trimmedBefore() : all.getFirst().streamAddress() + 1;
      assertThat(Math.max(end, answer.forgottenBefore()))
          .as("end of %s", STREAMS.get(i))
          .isGreaterThan(newest.getOrDefault(STREAMS.get(i), -1L));
    }
  }

  Trim trim(StreamId stream, long before) {
    trimAsked.merge(stream, before, Math::max);
    possible.forEach(
        (address, here) -> {
          boolean mayGo =
              here.stream()
                  .anyMatch(o -> o instanceof ReadOutcome.Found(Entry e) && isBelow(trimAsked, e));
          if (mayGo) {
            here.add(TRIMMED);
          }
        });
    Map<StreamId, Long> marks = new HashMap<>(trimmed);
    marks.merge(stream, before, Math::max);
    return new Trim(
        stream,
        before,
        certainly(
            o ->
                o == TRIMMED
                    || (o instanceof ReadOutcome.Found(Entry entry)
                        && isIn(stream, o)
                        && isBelow(marks, entry)
                        && !late.contains(entry.id()))));
  }

  void trimmed(Trim trim) {
    trimmed.merge(trim.stream, trim.before, Math::max);
    trim.certain.forEach((address, here) -> here.retainAll(Set.of(TRIMMED)));
  }
}
