package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.pagemap.Location;
import java.nio.ByteBuffer;

/** Writes records of blocks' trimmed addresses, and counts which of these records are needed. */
final class TrimRecords {

  private final LogFiles logFiles;
  private final AddressIndex index;
  private final CommitQueue commits;
  private final CompactionCandidates candidates;

  TrimRecords(
      LogFiles logFiles, AddressIndex index, CommitQueue commits, CompactionCandidates candidates) {
    this.logFiles = logFiles;
    this.index = index;
    this.commits = commits;
    this.candidates = candidates;
  }

  /** Adds the block's record to the gathering batch. Returns false if there is no space. */
  boolean append(TrimmedSet.Block block) {
    CommitBatch batch = commits.gathering();
    ByteBuffer bitmap = block.bitmap();
    long bytes = RecordFormat.sizeOf(bitmap.remaining());
    LogFile logFile = logFiles.roomFor(bytes, Purpose.KEEPING, batch, index.mark).orElse(null);
    if (logFile == null) {
      return false;
    }
    long older = block.location;
    if (older != Location.NONE) {
      LogFile before = logFiles.at(older);
      before.trimsDied();
      batch.onceDurable(() -> candidates.add(before));
    }
    batch.ifUndone(() -> takeBack(block, older));
    long offset = logFile.end;
    batch.addRecord(logFile, RecordFormat.TRIMS, block.base, bitmap);
    logFile.content().addTrims(block.base, offset, bitmap);
    logFile.holdsTrims(block);
    logFile.trimsBorn();
    block.location = Location.of(logFile.slot, offset, false);
    return true;
  }

  private void takeBack(TrimmedSet.Block block, long older) {
    if (index.trimmed.find(block.base) == block) {
      logFiles.at(block.location).trimsDied();
      block.location = older;
      if (older != Location.NONE) {
        logFiles.at(older).trimsBorn();
      }
    } // otherwise the mark has passed it
  }
}
