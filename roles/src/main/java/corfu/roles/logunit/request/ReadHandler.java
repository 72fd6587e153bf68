package corfu.roles.logunit.request;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Limits;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.CopiedRecord;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.EntryReader;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.store.AddressSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers to requests that change nothing. No answer shows unsettled entries. It ends before the
 * first of them; if that is the first requested one, it waits for a batch.
 */
public final class ReadHandler {

  private static final int FRAME_BYTES = 64; // a frame and a reply without outcomes
  private static final int OUTCOME_BYTES = 16; // an outcome in a reply, without its entry

  private final AddressSpace space;
  private final AddressIndex index;
  private final LogFiles logFiles;
  private final EntryReader reader;
  private final ReplyMemory memory;
  private final EntryReader replyReader; // its entries are valid until the next answer
  private final long maxReplyBytes;

  /** An answer, or the batch to wait for. */
  public sealed interface Answer {
    record Ready(LogUnitReply reply) implements Answer {}

    record After(CommitBatch batch) implements Answer {}
  }

  public ReadHandler(AddressSpace space, Limits limits) {
    this.space = space;
    this.index = space.index();
    this.logFiles = space.logFiles();
    this.reader = new EntryReader(logFiles, index.corrupt);
    this.memory = new ReplyMemory(logFiles.disk()::memory);
    this.replyReader = new EntryReader(logFiles, index.corrupt, memory);
    this.maxReplyBytes = (long) limits.maxFrameBytes() - FRAME_BYTES;
  }

  /** Reads these addresses. The answer's entries are valid until the next answer. */
  public Answer read(AddressSet addresses, int maxBytes) {
    Outcomes outcomes = begin(maxBytes);
    Optional<CommitBatch> unsettled = read(addresses, outcomes);
    return unsettled.isPresent() && outcomes.list.isEmpty()
        ? new Answer.After(unsettled.get())
        : new Answer.Ready(new LogUnitReply.Reads(outcomes.list));
  }

  /** Returns an answer without outcomes. Its entries will be valid until the next answer. */
  Outcomes begin(int maxBytes) {
    memory.begin();
    return new Outcomes(maxBytes);
  }

  /**
   * Adds the content of the first of these addresses, as much as fits.
   *
   * @return the batch for which the first unsettled address waits, or empty if there was none
   */
  public Optional<CommitBatch> read(AddressSet addresses, Outcomes outcomes) {
    int i = 0;
    while (i < addresses.count() && !outcomes.isFull()) {
      long address = addresses.at(i);
      long found = outcomes.find(address);
      Optional<CommitBatch> unsettled = space.unsettled(address, found);
      if (unsettled.isPresent()) {
        return unsettled;
      }
      if (found >= 0) {
        i += readRun(addresses, i, found, outcomes);
      } else {
        outcomes.add(
            found == AddressIndex.TRIMMED
                ? ReadOutcome.Trimmed.TRIMMED
                : ReadOutcome.Unwritten.UNWRITTEN);
        i++;
      }
    }
    return Optional.empty();
  }

  /**
   * Reads the records from index {@code from} on that lie behind each other in one file. Returns
   * their number.
   */
  private int readRun(AddressSet addresses, int from, long first, Outcomes outcomes) {
    List<Long> offsets = new ArrayList<>();
    LogFile logFile = logFiles.at(first);
    long start = Location.offset(first);
    long reach = start + Math.min(EntryReader.RUN_BYTES, outcomes.left());
    long apart = EntryReader.apart(logFile);
    offsets.add(start);
    for (int i = from + 1; i < addresses.count(); i++) {
      long found = outcomes.find(addresses.at(i));
      long offset = Location.offset(found);
      if (found < 0
          || Location.slot(found) != logFile.slot
          || offset <= offsets.getLast()
          || offset > Math.min(reach, offsets.getLast() + apart)
          || offset >= logFile.settled) {
        break;
      }
      offsets.add(offset);
    }
    EntryReader.Run run = replyReader.run(logFile, offsets);
    int done = 0;
    while (done < offsets.size() && outcomes.add(run.outcome(done, addresses.at(from + done)))) {
      done++;
    }
    return done;
  }

  public Answer inspect(AddressSet addresses) {
    List<AddressState> states = new ArrayList<>(addresses.count());
    for (int i = 0; i < addresses.count(); i++) {
      long address = addresses.at(i);
      long found = index.find(address);
      Optional<CommitBatch> unsettled = space.unsettled(address, found);
      if (unsettled.isPresent()) {
        return new Answer.After(unsettled.get());
      }
      states.add(stateOf(found));
    }
    return new Answer.Ready(new LogUnitReply.States(states));
  }

  private static AddressState stateOf(long found) {
    if (found < 0) {
      return found == AddressIndex.TRIMMED ? AddressState.TRIMMED : AddressState.UNWRITTEN;
    }
    return Location.isHole(found) ? AddressState.HOLE : AddressState.DATA;
  }

  /**
   * Copies a range. Skips addresses below the prefix-trim mark, because the mark itself covers
   * them. The answer's entries are valid until the next answer.
   */
  public Answer copyRange(LogUnitRequest.CopyRange range) {
    Outcomes outcomes = begin(range.maxBytes());
    List<Long> addresses = new ArrayList<>();
    StrideScan sweep = new StrideScan(index, range);
    while (!sweep.isOver()) {
      AddressSet.Listed found = sweep.go();
      Optional<CommitBatch> unsettled = copy(found, addresses, outcomes);
      if (unsettled.isPresent() && addresses.isEmpty()) {
        return new Answer.After(unsettled.get());
      }
      if (sweep.found() > addresses.size()) {
        sweep.endAt(found.at(found.count() - sweep.found() + addresses.size()));
      }
    }
    return new Answer.Ready(new LogUnitReply.Copied(sweep.next(), outcomes.with(addresses)));
  }

  /**
   * Adds the first of these addresses, none of which is unwritten, with their content.
   *
   * @return the batch for which the first address that was not added waits, or empty if it does not
   *     wait
   */
  private Optional<CommitBatch> copy(AddressSet from, List<Long> addresses, Outcomes outcomes) {
    int i = 0;
    while (i < from.count()) {
      long address = from.at(i);
      long found = outcomes.find(address);
      Optional<CommitBatch> unsettled = space.unsettled(address, found);
      if (unsettled.isPresent()) {
        return unsettled;
      }
      int copied = 0;
      if (found >= 0) {
        copied = readRun(from, i, found, outcomes);
      } else if (outcomes.add(ReadOutcome.Trimmed.TRIMMED)) {
        copied = 1;
      }
      for (int end = i + copied; i < end; i++) {
        addresses.add(from.at(i));
      }
      if (outcomes.isFull()) {
        break;
      }
    }
    return Optional.empty();
  }

  public LogUnitReply.Tail tail() {
    return new LogUnitReply.Tail(index.settledNext, index.settledMark);
  }

  public LogUnitReply.Usage usage(UnitMode mode) {
    long live = 0;
    for (LogFile logFile : logFiles.all()) {
      live += logFile.liveBytes();
    }
    return new LogUnitReply.Usage(
        index.records.size(),
        live,
        logFiles.fileBytes(),
        logFiles.freeBytes(),
        index.settledNext,
        index.settledMark,
        mode.text());
  }

  /** A reply that grows up to a limit. The first outcome always fits. */
  final class Outcomes {
    private final List<ReadOutcome> list = new ArrayList<>();
    private final long maxBytes;
    private long entryBytes;
    private long replyBytes;
    private boolean full;
    private long lookedUp = -1; // the address of the last lookup, and its result
    private long found;

    private Outcomes(int maxBytes) {
      this.maxBytes = maxBytes;
    }

    /** Returns the outcomes in the order of their addresses. */
    List<ReadOutcome> list() {
      return list;
    }

    boolean isFull() {
      return full;
    }

    /**
     * Returns {@link AddressIndex#find}, and remembers the last result: the address that ends a run
     * is often the first one of the next run.
     */
    private long find(long address) {
      if (address != lookedUp) {
        found = index.find(address);
        lookedUp = address;
      }
      return found;
    }

    private long left() {
      return Math.max(0, Math.min(maxBytes - entryBytes, maxReplyBytes - replyBytes));
    }

    private boolean add(ReadOutcome outcome) {
      int entry = outcome instanceof ReadOutcome.Found(Entry found) ? found.lengthBytes() : 0;
      int text = outcome instanceof ReadOutcome.Corrupt(String detail) ? 3 * detail.length() : 0;
      long size = (long) OUTCOME_BYTES + entry + text;
      full = entryBytes + entry > maxBytes || replyBytes + size > maxReplyBytes;
      if (full && !list.isEmpty()) {
        return false;
      }
      entryBytes += entry;
      replyBytes += size;
      list.add(outcome);
      return true;
    }

    private List<CopiedRecord> with(List<Long> addresses) {
      List<CopiedRecord> records = new ArrayList<>(list.size());
      for (int i = 0; i < list.size(); i++) {
        records.add(new CopiedRecord(addresses.get(i), list.get(i)));
      }
      return records;
    }
  }

  /**
   * Returns the entry at this address, in memory of its own. The address must have a settled entry.
   */
  ReadOutcome entryAt(long address, long location) {
    return reader.read(address, location);
  }
}
