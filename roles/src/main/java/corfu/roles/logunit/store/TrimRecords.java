package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.pagemap.Location;
import java.nio.ByteBuffer;

/** Writes records of blocks' trimmed addresses, and counts which of these records are needed. */
final class TrimRecords {

  private final Store store;

  TrimRecords(Store store) {
    this.store = store;
  }

  /** Adds the block's record to the gathering batch. Returns false if there is no space. */
  boolean append(TrimmedSet.Block block) {
    LogFiles logFiles = store.logFiles();
    CommitBatch batch = store.gathering();
    ByteBuffer bitmap = block.bitmap();
    long bytes = RecordFormat.sizeOf(bitmap.remaining());
    LogFile logFile =
        logFiles.roomFor(bytes, Purpose.KEEPING, batch, store.index().mark).orElse(null);
    if (logFile == null) {
      return false;
    }
    long older = block.location;
    if (older != Location.NONE) {
      LogFile before = logFiles.at(older);
      before.trimsDied();
      batch.onceDurable(() -> store.suspect(before));
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
    if (store.index().trimmed.find(block.base) == block) {
      LogFiles logFiles = store.logFiles();
      logFiles.at(block.location).trimsDied();
      block.location = older;
      if (older != Location.NONE) {
        logFiles.at(older).trimsBorn();
      }
    } // otherwise the mark has passed it
  }
}
