package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.pagemap.Location;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes records of streams' trims, and counts which of these records are needed. */
final class StreamMarking {

  private final LogFiles logFiles;
  private final AddressIndex index;
  private final CommitQueue commits;
  private final CompactionCandidates candidates;

  StreamMarking(
      LogFiles logFiles, AddressIndex index, CommitQueue commits, CompactionCandidates candidates) {
    this.logFiles = logFiles;
    this.index = index;
    this.commits = commits;
    this.candidates = candidates;
  }

  /** Adds the mark of a stream to the gathering batch. Returns false if there is no space. */
  boolean append(StreamId stream, long before) {
    ByteBuffer id = ByteBuffer.allocate(RecordFormat.STREAM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    id.putLong(stream.high()).putLong(stream.low()).flip();
    long bytes = RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);
    CommitBatch batch = commits.gathering();
    LogFile logFile = logFiles.roomFor(bytes, Purpose.KEEPING, batch, index.mark).orElse(null);
    if (logFile == null) {
      return false;
    }
    long place = Location.of(logFile.slot, logFile.end, false);
    logFile.content().streams().addMark(stream, before, logFile.end);
    batch.addRecord(logFile, RecordFormat.STREAM, before, id);
    batch.onceSettled(() -> marked(stream, before, place));
    return true;
  }

  private void marked(StreamId stream, long before, long place) {
    logFiles.at(place).markBorn();
    long garbage = index.streams.mark(stream, before, place);
    if (garbage != Location.NONE) {
      logFiles.at(garbage).markDied();
      candidates.add(logFiles.at(garbage));
    }
  }
}
