package corfu.roles.logunit.request;

import corfu.protocol.Backpointers;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.Postings;
import corfu.roles.logunit.streamindex.StreamIndex;
import corfu.roles.logunit.streamindex.StreamRecords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Answers about streams, from the index alone. Unsettled entries are skipped: in a busy stream, a
 * request that waits for one would wait for the next one, too, and so for ever. Only entries whose
 * trim is unsettled have to wait, because it is unknown whether they were settled.
 */
public final class StreamAnswers {

  private static final int TAIL_BYTES = 25 + 8 * Backpointers.MOST;

  private final AddressSpace space;
  private final AddressIndex index;
  private final StreamIndex streams;
  private final StreamRecords records;
  private final Postings postings;
  private final int mostTails;

  public StreamAnswers(AddressSpace space, Limits limits) {
    this.space = space;
    this.index = space.index();
    this.streams = index.streams;
    this.records = streams.records();
    this.postings = streams.postings();
    int fit = (limits.maxFrameBytes() - RequestValidator.FRAME_BYTES) / TAIL_BYTES;
    this.mostTails = Math.clamp(fit, 1, limits.maxAddressesPerRequest());
  }

  /** Collects the newest entries of a stream, up to a number. */
  private final class Newest implements Postings.Visitor {
    private final int most;
    private final long from; // a stream address
    private final boolean allIsSettled = space.isIdle();
    private final List<Occurrence> found = new ArrayList<>();
    private Optional<CommitBatch> waitsFor = Optional.empty();

    Newest(int most, long from) {
      this.most = most;
      this.from = from;
    }

    @Override
    public boolean visit(long address, long streamAddress) {
      if (streamAddress < from) {
        return false;
      }
      if (!allIsSettled) {
        long there = index.find(address);
        Optional<CommitBatch> unsettled = space.unsettled(address, there);
        if (unsettled.isPresent() && there == AddressIndex.TRIMMED) {
          waitsFor = unsettled;
          return false;
        }
        if (unsettled.isPresent()) {
          return true;
        }
      }
      found.add(new Occurrence(address, streamAddress));
      return found.size() < most;
    }
  }

  public ReadHandler.Answer find(LogUnitRequest.FindInStreams request) {
    List<Occurrences> all = new ArrayList<>(request.queries().size());
    for (StreamQuery query : request.queries()) {
      int record = streams.find(query.stream());
      if (record == Blocks.NONE) {
        all.add(new Occurrences(0, List.of()));
        continue;
      }
      long trimmedBefore = records.trimmedBefore(record);
      Newest newest = new Newest(request.most(), trimmedBefore);
      postings.descend(record, query.below(), query.streamBelow(), newest);
      if (newest.waitsFor.isPresent()) {
        return new ReadHandler.Answer.After(newest.waitsFor.get());
      }
      all.add(new Occurrences(trimmedBefore, newest.found));
    }
    return new ReadHandler.Answer.Ready(
        new LogUnitReply.FoundInStreams(streams.forgottenBefore(), all));
  }

  public ReadHandler.Answer list(LogUnitRequest.ListStreams request) {
    List<StreamTail> tails = new ArrayList<>();
    List<StreamId> some = lowest(request.part(), request.after());
    while (tails.isEmpty() && !some.isEmpty()) { // perhaps none of them is settled
      for (StreamId stream : some) {
        int record = streams.find(stream);
        Newest newest = new Newest(Backpointers.MOST, 0);
        postings.descend(record, Long.MAX_VALUE, Long.MAX_VALUE, newest);
        if (newest.waitsFor.isPresent()) {
          return new ReadHandler.Answer.After(newest.waitsFor.get());
        }
        StreamPosition end = end(records.trimmedBefore(record), newest.found);
        if (end.streamAddress() > 0) {
          tails.add(new StreamTail(stream, end));
        }
      }
      some = tails.isEmpty() ? lowest(request.part(), some.getLast()) : some;
    }
    return new ReadHandler.Answer.Ready(new LogUnitReply.Streams(tails, some.size() == mostTails));
  }

  /**
   * Returns the streams of the part with the lowest ids above the given one, in ascending order.
   */
  private List<StreamId> lowest(int part, StreamId after) {
    PriorityQueue<StreamId> lowest = new PriorityQueue<>(Comparator.reverseOrder());
    streams.forEach(
        part,
        record -> {
          StreamId stream = records.stream(record);
          boolean wanted = stream.compareTo(after) > 0;
          if (wanted && lowest.size() < mostTails) {
            lowest.add(stream);
          } else if (wanted && stream.compareTo(lowest.element()) < 0) {
            lowest.remove();
            lowest.add(stream);
          }
        });
    return lowest.stream().sorted().toList();
  }

  private static StreamPosition end(long trimmedBefore, List<Occurrence> newestFirst) {
    long[] addresses = newestFirst.stream().mapToLong(Occurrence::address).toArray();
    long behind = newestFirst.isEmpty() ? 0 : newestFirst.getFirst().streamAddress() + 1;
    return new StreamPosition(Math.max(trimmedBefore, behind), Backpointers.of(addresses));
  }
}
