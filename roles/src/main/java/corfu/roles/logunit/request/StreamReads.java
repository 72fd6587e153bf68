package corfu.roles.logunit.request;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.Postings;
import corfu.roles.logunit.streamindex.StreamIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads whole ranges of a stream, for requests to stream replicas (vCorfu, section 3; dissertation,
 * section 4.2.4). An answer ends before the first unsettled entry; a client that needs that entry
 * waits for it with another request.
 */
public final class StreamReads {

  /** The largest number of entries examined for one reply. */
  private static final int MOST = 4096;

  /**
   * The number of entries looked up first; then twice as many each time, because it is unknown how
   * many fit into a reply.
   */
  private static final int FIRST = 64;

  private final AddressSpace space;
  private final AddressIndex index;
  private final ReadHandler answers;

  public StreamReads(AddressSpace space, ReadHandler answers) {
    this.space = space;
    this.index = space.index();
    this.answers = answers;
  }

  /** The places of a stream's entries from a stream address on. */
  private final class Places implements Postings.Visitor {
    private final LogUnitRequest.ReadStream request;
    private final boolean allIsSettled = space.isIdle();
    private final List<Long> addresses = new ArrayList<>();
    private final List<Long> streamAddresses = new ArrayList<>();
    private int room;
    private boolean isMore;

    Places(LogUnitRequest.ReadStream request) {
      this.request = request;
    }

    @Override
    public boolean visit(long address, long streamAddress) {
      if (address >= request.logBelow()) {
        return false;
      }
      if (address < request.logFrom()) {
        return true;
      }
      if (addresses.size() == room) {
        isMore = true;
        return false;
      }
      if (!allIsSettled && space.unsettled(address, index.find(address)).isPresent()) {
        return false;
      }
      addresses.add(address);
      streamAddresses.add(streamAddress);
      return true;
    }

    /** Returns the next places from this stream address on. */
    AddressSet more(int record, long from) {
      int known = addresses.size();
      room = Math.clamp(2L * known, FIRST, MOST);
      isMore = false;
      index.streams.postings().ascend(record, from, Long.MAX_VALUE, this);
      List<Long> found = addresses.subList(known, addresses.size());
      return new AddressSet.Listed(found.stream().mapToLong(Long::longValue).toArray());
    }

    int count() {
      return addresses.size();
    }

    /** Returns the stream address behind the entry with this index. */
    long behind(int index) {
      return streamAddresses.get(index) + 1;
    }
  }

  public ReadHandler.Answer read(LogUnitRequest.ReadStream request) {
    StreamIndex streams = index.streams;
    int record = streams.find(request.stream());
    if (record == Blocks.NONE) {
      return ready(0, Long.MAX_VALUE, List.of());
    }
    long trimmedBefore = streams.records().trimmedBefore(record);
    Places places = new Places(request);
    ReadHandler.Outcomes outcomes = answers.begin(request.maxBytes());
    long from = Math.max(request.from(), trimmedBefore);
    do {
      AddressSet more = places.more(record, from);
      Optional<CommitBatch> unsettled = answers.read(more, outcomes);
      if (unsettled.isPresent() && outcomes.list().isEmpty()) {
        return new ReadHandler.Answer.After(unsettled.get());
      }
      from = outcomes.list().isEmpty() ? from : places.behind(outcomes.list().size() - 1);
    } while (places.isMore
        && places.count() < MOST
        && outcomes.list().size() == places.count()
        && !outcomes.isFull());
    boolean isAll = outcomes.list().size() == places.count() && !places.isMore;
    return ready(trimmedBefore, isAll ? Long.MAX_VALUE : from, entries(outcomes.list()));
  }

  private static ReadHandler.Answer ready(long trimmedBefore, long next, List<Entry> entries) {
    return new ReadHandler.Answer.Ready(
        new LogUnitReply.StreamEntries(trimmedBefore, next, entries));
  }

  private static List<Entry> entries(List<ReadOutcome> outcomes) {
    List<Entry> entries = new ArrayList<>(outcomes.size());
    for (ReadOutcome outcome : outcomes) {
      if (outcome instanceof ReadOutcome.Found(Entry entry) && !entry.isHole()) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
