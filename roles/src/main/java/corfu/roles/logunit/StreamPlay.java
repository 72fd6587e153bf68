package corfu.roles.logunit;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.Postings;
import corfu.roles.logunit.streamindex.StreamIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads whole pieces of a stream, as a stream replica is asked to (vCorfu, section 3; dissertation,
 * section 4.2.4). It ends before what is not settled: who wants that waits for it elsewhere.
 */
final class StreamPlay {

  /** Entries that are looked at for one reply. */
  private static final int AT_ONCE = 4096;

  private final Store store;
  private final AddressIndex index;
  private final Answers answers;

  StreamPlay(Store store, Answers answers) {
    this.store = store;
    this.index = store.index();
    this.answers = answers;
  }

  /** Where entries of the stream are, from a place on. */
  private final class Places implements Postings.Visitor {
    private final LogUnitRequest.ReadStream request;
    private final boolean allIsSettled = store.isIdle();
    private final List<Long> addresses = new ArrayList<>();
    private final List<Long> streamAddresses = new ArrayList<>();
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
      if (addresses.size() == AT_ONCE) {
        isMore = true;
        return false;
      }
      if (!allIsSettled && store.unsettled(address, index.find(address)).isPresent()) {
        return false;
      }
      addresses.add(address);
      streamAddresses.add(streamAddress);
      return true;
    }
  }

  Answers.Answer read(LogUnitRequest.ReadStream request) {
    StreamIndex streams = index.streams;
    int record = streams.find(request.stream());
    Places places = new Places(request);
    long trimmedBefore = 0;
    if (record != Blocks.NONE) {
      trimmedBefore = streams.records().trimmedBefore(record);
      long from = Math.max(request.from(), trimmedBefore);
      streams.postings().ascend(record, from, Long.MAX_VALUE, places);
    }
    if (places.addresses.isEmpty()) {
      return ready(trimmedBefore, Long.MAX_VALUE, List.of());
    }
    long[] addresses = places.addresses.stream().mapToLong(Long::longValue).toArray();
    return switch (answers.read(new AddressSet.Listed(addresses), request.maxBytes())) {
      case Answers.Answer.After(Batch batch) -> new Answers.Answer.After(batch);
      case Answers.Answer.Ready(LogUnitReply reply) -> {
        List<ReadOutcome> outcomes = ((LogUnitReply.Reads) reply).outcomes();
        boolean isAll = outcomes.size() == addresses.length && !places.isMore;
        yield ready(
            trimmedBefore,
            isAll ? Long.MAX_VALUE : places.streamAddresses.get(outcomes.size() - 1) + 1,
            entries(outcomes));
      }
    };
  }

  private static Answers.Answer ready(long trimmedBefore, long next, List<Entry> entries) {
    return new Answers.Answer.Ready(new LogUnitReply.StreamEntries(trimmedBefore, next, entries));
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
