package corfu.runtime.internal.stream;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The log units' indexes of streams. Only heads are asked, because they decide (docs/design.md,
 * section 4, R1 and R6): an entry that no head has accepted is in no stream. Thread-safe.
 */
public final class StreamUnits {

  /** The most queries in one request. It bounds the replies like other ones. */
  private static final int QUERIES = 1 << 12;

  /** The number of addresses that are inspected together. */
  private static final int INSPECTED = 1 << 16;

  private final Servers servers;

  public StreamUnits(Servers servers) {
    this.servers = servers;
  }

  /**
   * The entries of one stream that all units together know.
   *
   * @param trimmedBefore the stream address below which the stream is trimmed
   * @param newestFirst the newest entries, as many as were asked for, or all; some may be trimmed,
   *     or have been lost before they were complete
   * @param forgottenBefore the log address below which missing entries may have been trimmed
   * @param strays the log addresses of entries that no deciding unit knows. A stray is on a unit
   *     that was dropped from a chain. That unit was not sealed for the drop, because a closed
   *     segment still needs it.
   */
  public record Found(
      long trimmedBefore, List<Occurrence> newestFirst, long forgottenBefore, Set<Long> strays) {

    private Found withoutStrays() {
      if (strays.isEmpty()) {
        return this;
      }
      List<Occurrence> rest =
          newestFirst.stream().filter(one -> !strays.contains(one.address())).toList();
      return new Found(trimmedBefore, rest, forgottenBefore, Set.of());
    }

    /** Adds older entries, up to {@code most} in all. */
    private Found with(Found older, int most) {
      List<Occurrence> all = new ArrayList<>(newestFirst);
      all.addAll(
          older.newestFirst.subList(0, Math.min(most - all.size(), older.newestFirst.size())));
      return new Found(
          Math.max(trimmedBefore, older.trimmedBefore),
          all,
          Math.max(forgottenBefore, older.forgottenBefore),
          Set.of());
    }
  }

  /**
   * Returns where these streams ended when their newest entry was below an address at which an
   * epoch began. No entry of an older epoch can appear any more. So every caller gets the same
   * answer, except for entries trimmed since.
   */
  public List<StreamTail> endsBelow(
      long below, List<StreamId> streams, Layout layout, Deadline deadline) {
    List<StreamQuery> queries =
        streams.stream().map(stream -> StreamQuery.below(stream, below)).toList();
    List<Found> found = findAll(queries, Backpointers.MOST, layout, deadline);
    List<StreamTail> ends = new ArrayList<>(streams.size());
    for (int i = 0; i < streams.size(); i++) {
      ends.add(new StreamTail(streams.get(i), end(found.get(i), below)));
    }
    return ends;
  }

  /**
   * Returns the stream's end. A stream address is never issued twice. If the newest entries may
   * have been forgotten, the next stream address is as high as theirs can have been: no higher than
   * their log addresses.
   */
  private static StreamPosition end(Found found, long below) {
    long forgotten = Math.min(found.forgottenBefore, below);
    long next = found.trimmedBefore;
    List<Occurrence> newest = found.newestFirst;
    for (Occurrence occurrence : newest) {
      next = Math.max(next, occurrence.streamAddress() + 1);
    }
    if (newest.isEmpty() || newest.getFirst().address() < forgotten) {
      next = Math.max(next, forgotten);
    }
    return new StreamPosition(
        next, Backpointers.of(newest.stream().mapToLong(Occurrence::address).toArray()));
  }

  /**
   * Returns the newest entries for each query, in the order of the queries, as many as are asked
   * for or all, without strays. A stray may have the stream address of an entry that is not written
   * yet, and would hide that this entry is missing.
   */
  public List<Found> find(List<StreamQuery> queries, int most, Layout layout, Deadline deadline) {
    List<Found> found = new ArrayList<>(queries.size());
    for (Found one : findAll(queries, most, layout, deadline)) {
      StreamQuery query = queries.get(found.size());
      Found sound = one.withoutStrays();
      Found last = one;
      while (last.newestFirst().size() == most && sound.newestFirst().size() < most) {
        long below = last.newestFirst().getLast().address();
        var further = new StreamQuery(query.stream(), below, query.streamBelow());
        last = findAll(List.of(further), most, layout, deadline).getFirst();
        sound = sound.with(last.withoutStrays(), most);
      }
      found.add(sound);
    }
    return found;
  }

  private List<Found> findAll(
      List<StreamQuery> queries, int most, Layout layout, Deadline deadline) {
    List<Found> all = new ArrayList<>(queries.size());
    for (int from = 0; from < queries.size(); from += QUERIES) {
      List<StreamQuery> some = queries.subList(from, Math.min(queries.size(), from + QUERIES));
      all.addAll(findSome(some, most, layout, deadline));
    }
    return all;
  }

  private List<Found> findSome(
      List<StreamQuery> queries, int most, Layout layout, Deadline deadline) {
    var request = new LogUnitRequest.FindInStreams(layout.epoch(), queries, most);
    Map<Endpoint, LogUnitRequest> questions = new LinkedHashMap<>();
    heads(layout).forEach(head -> questions.put(head, request));
    Map<Endpoint, LogUnitReply.FoundInStreams> replies = new LinkedHashMap<>();
    servers
        .askAll(questions, deadline)
        .forEach(
            (head, answered) -> {
              var reply = Servers.await(head, answered, LogUnitReply.FoundInStreams.class);
              if (reply.found().size() != queries.size()) {
                throw RetryableException.server(
                    head, false, "the log unit at " + head + " answered only some of the queries");
              }
              replies.put(head, reply);
            });
    long forgotten = layout.segments().getFirst().start();
    for (LogUnitReply.FoundInStreams reply : replies.values()) {
      forgotten = Math.max(forgotten, reply.forgottenBefore());
    }
    List<Found> found = new ArrayList<>(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      found.add(together(replies, i, most, forgotten, layout));
    }
    return found;
  }

  private static Found together(
      Map<Endpoint, LogUnitReply.FoundInStreams> replies,
      int query,
      int most,
      long forgottenBefore,
      Layout layout) {
    long trimmedBefore = 0;
    List<Occurrence> all = new ArrayList<>();
    Set<Long> strays = new HashSet<>();
    for (var reply : replies.entrySet()) {
      Occurrences found = reply.getValue().found().get(query);
      trimmedBefore = Math.max(trimmedBefore, found.trimmedBefore());
      for (Occurrence occurrence : found.newestFirst()) {
        all.add(occurrence);
        if (!decides(layout, reply.getKey(), occurrence.address())) {
          strays.add(occurrence.address());
        }
      }
    }
    if (!strays.isEmpty()) {
      replies.forEach(
          (unit, reply) ->
              reply.found().get(query).newestFirst().stream()
                  .filter(occurrence -> decides(layout, unit, occurrence.address()))
                  .forEach(occurrence -> strays.remove(occurrence.address())));
    }
    List<Occurrence> newest = newest(all, most);
    return new Found(trimmedBefore, newest, forgottenBefore, strays);
  }

  /** Returns the newest entries, each once. Entries from one unit are in order already. */
  private static List<Occurrence> newest(List<Occurrence> all, int most) {
    all.sort(Comparator.comparingLong(Occurrence::address).reversed());
    List<Occurrence> newest = new ArrayList<>(Math.min(all.size(), most));
    long last = -1;
    for (Occurrence occurrence : all) {
      if (occurrence.address() != last && newest.size() < most) {
        newest.add(occurrence);
        last = occurrence.address();
      }
    }
    return newest;
  }

  /**
   * Returns whether this unit decides the content of an address. For a trimmed address, any unit
   * does.
   */
  private static boolean decides(Layout layout, Endpoint unit, long address) {
    if (layout.isBefore(address)) {
      return true;
    }
    LayoutSegment segment = layout.segmentOf(address);
    Chain chain = segment.chainOf(address);
    return chain.isLost()
        ? segment.serving().streamUnits().contains(unit)
        : chain.head().equals(unit);
  }

  /** Returns the addresses of a range at which the head holds nothing. */
  public List<Address> unwritten(long from, long to, Layout layout, Deadline deadline) {
    List<Address> unwritten = new ArrayList<>();
    for (LayoutSegment segment : layout.segments()) {
      long end = Math.min(to, segment.end());
      for (long low = Math.max(from, segment.start()); low < end; low += INSPECTED) {
        long high = Math.min(end, low + INSPECTED);
        for (int stripe = 0; stripe < segment.stripes(); stripe++) {
          AddressSet addresses = segment.addressesOf(stripe, low, high);
          var request = new LogUnitRequest.Inspect(layout.epoch(), addresses);
          if (segment.log().get(stripe).isLost()) {
            continue; // no data is written there any more
          }
          Endpoint head = segment.log().get(stripe).head();
          var states = servers.ask(head, request, LogUnitReply.States.class, deadline).states();
          for (int i = 0; i < states.size(); i++) {
            if (states.get(i) == LogUnitReply.AddressState.UNWRITTEN) {
              unwritten.add(new Address(addresses.at(i)));
            }
          }
        }
      }
    }
    return unwritten;
  }

  /**
   * Returns the addresses that nobody has written: the head holds nothing, so no append there can
   * have ended. An address that has no head to ask is left out.
   */
  public Set<Long> unwritten(List<Long> addresses, Layout layout, Deadline deadline) {
    Map<Endpoint, List<Long>> byHead = new LinkedHashMap<>();
    for (long address : addresses) {
      if (!layout.isBefore(address) && !layout.chainOf(address).isLost()) {
        Endpoint head = layout.chainOf(address).head();
        byHead.computeIfAbsent(head, unit -> new ArrayList<>()).add(address);
      }
    }
    Map<Endpoint, LogUnitRequest> questions = new LinkedHashMap<>();
    byHead.forEach(
        (head, asked) -> {
          var set = new AddressSet.Listed(asked.stream().mapToLong(Long::longValue).toArray());
          questions.put(head, new LogUnitRequest.Inspect(layout.epoch(), set));
        });
    Set<Long> unwritten = new HashSet<>();
    servers
        .askAll(questions, deadline)
        .forEach(
            (head, answered) -> {
              List<Long> asked = byHead.getOrDefault(head, List.of());
              var states = Servers.await(head, answered, LogUnitReply.States.class).states();
              for (int i = 0; i < Math.min(asked.size(), states.size()); i++) {
                if (states.get(i) == LogUnitReply.AddressState.UNWRITTEN) {
                  unwritten.add(asked.get(i));
                }
              }
            });
    return unwritten;
  }

  /**
   * Returns the streams that have entries and belong to this one of the {@link StreamId#PARTS}, in
   * the order of their ids. Each comes with its end as far as heads know it.
   */
  public List<StreamTail> list(int part, Layout layout, Deadline deadline) {
    Map<StreamId, StreamTail> tails = new TreeMap<>();
    Map<Endpoint, StreamId> after = new LinkedHashMap<>();
    heads(layout).forEach(head -> after.put(head, StreamId.NONE));
    while (!after.isEmpty()) {
      Map<Endpoint, LogUnitRequest> questions = new LinkedHashMap<>();
      after.forEach(
          (head, last) ->
              questions.put(head, new LogUnitRequest.ListStreams(layout.epoch(), part, last)));
      var answers = servers.askAll(questions, deadline);
      answers.forEach(
          (head, answered) -> {
            var reply = Servers.await(head, answered, LogUnitReply.Streams.class);
            reply.tails().forEach(tail -> tails.merge(tail.stream(), tail, StreamUnits::later));
            if (reply.more()) {
              after.put(head, reply.tails().getLast().stream());
            } else {
              after.remove(head);
            }
          });
    }
    return List.copyOf(tails.values());
  }

  private static StreamTail later(StreamTail one, StreamTail other) {
    return one.end().streamAddress() < other.end().streamAddress() ? other : one;
  }

  private static Set<Endpoint> heads(Layout layout) {
    Set<Endpoint> heads = new LinkedHashSet<>();
    for (LayoutSegment segment : layout.segments().reversed()) {
      for (Chain chain : segment.log()) {
        if (chain.isLost()) {
          heads.addAll(segment.serving().streamUnits()); // an entry may be on one of them only
        } else {
          heads.add(chain.head());
        }
      }
    }
    return heads;
  }
}
