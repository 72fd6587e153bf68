package corfu.roles.logunit.logfile;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * A log file that is finished while the next one begins: one thread closes the file, and another
 * thread is about to sync it.
 */
class FinishedSegmentTest {

  private final LogFile logFile = new LogFile(0, 1, 2);

  /** A file whose syncs fail, after something else has happened. */
  private record FailingFile(Runnable meanwhile) implements DiskFile {
    @Override
    public String name() {
      return "segment";
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      return 0;
    }

    @Override
    public void write(ByteBuffer[] from, long position) {}

    @Override
    public void resize(long size) {}

    @Override
    public void sync() {
      meanwhile.run();
      throw new DiskException("cannot sync it");
    }

    @Override
    public void close() {}
  }

  @Test
  void aSyncThatItsEndInterruptsHasNotFailed() {
    logFile.writing = new FailingFile(logFile::closeWriting);

    assertThatCode(logFile::syncUnlessFinished).doesNotThrowAnyException();
    assertThatCode(logFile::syncUnlessFinished).as("it is over").doesNotThrowAnyException();
  }

  @Test
  void aSyncOfAFileThatIsStillWrittenFails() {
    logFile.writing = new FailingFile(() -> {});

    assertThatThrownBy(logFile::syncUnlessFinished).isInstanceOf(DiskException.class);
  }
}
