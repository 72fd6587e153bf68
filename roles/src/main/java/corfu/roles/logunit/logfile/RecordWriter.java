package corfu.roles.logunit.logfile;

import java.nio.ByteBuffer;

/** Receives the records of log files in the order in which they are written. */
public interface RecordWriter {

  /**
   * Begins a file: the following records belong to it.
   *
   * @param logFile the file
   * @param opening prepares the file, on the writing thread
   */
  void begin(LogFile logFile, Runnable opening);

  /** Adds a record that is no entry at the end of its file. */
  void addRecord(LogFile logFile, int kind, long address, ByteBuffer body);
}
