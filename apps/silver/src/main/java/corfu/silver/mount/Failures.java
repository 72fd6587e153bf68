package corfu.silver.mount;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.runtime.CorfuException;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.silver.DamagedEntryException;
import corfu.silver.VersionForgottenException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How failures of the log look to the callers of a mount. */
final class Failures {

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  static <T> Result<T> stale() {
    return Result.failed(Errno.ESTALE);
  }

  /** Goes on with a success. */
  static <A, B> Result<B> then(Result<A> first, Function<A, Result<B>> second) {
    return switch (first) {
      case Result.Success<A>(A value) -> second.apply(value);
      case Result.Failure<A>(Errno errno) -> Result.failed(errno);
    };
  }

  /**
   * Turns failures of the log into errors of a file system.
   *
   * @param number the kernel's number of the node that the request is about
   */
  static <T> Result<T> caught(NodeTable nodes, long number, Supplier<Result<T>> operation) {
    return caught(() -> nodes.describe(number), operation);
  }

  /**
   * Turns failures of the log into errors of a file system.
   *
   * @param subject names the subject of the request for the log file
   */
  static <T> Result<T> caught(Supplier<String> subject, Supplier<Result<T>> operation) {
    try {
      return operation.get();
    } catch (NoSpaceException full) {
      LOG.warn("A request on {} fails with ENOSPC: {}", subject.get(), full.getMessage());
      return Result.failed(Errno.ENOSPC);
    } catch (QuotaExceededException over) {
      LOG.warn("A request on {} fails with EDQUOT: {}", subject.get(), over.getMessage());
      return Result.failed(Errno.EDQUOT);
    } catch (VersionForgottenException | corfu.bytes.VersionForgottenException forgotten) {
      LOG.warn("A request on {} fails with ESTALE: {}", subject.get(), forgotten.getMessage());
      return Result.failed(Errno.ESTALE);
    } catch (CorfuException | DamagedEntryException | corfu.bytes.DamagedRecordException failure) {
      LOG.warn("A request on {} fails with EIO: {}", subject.get(), failure.getMessage());
      return Result.failed(Errno.EIO);
    }
  }
}
