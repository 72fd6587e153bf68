package corfu.objects.host;

import corfu.objects.CheckpointPolicy;
import java.time.Duration;

/**
 * How much a server does for the views that it hosts.
 *
 * @param types which objects it plays
 * @param bytesMax how large all of them may be together, as checkpoints have them; in memory they
 *     are some two to five times as large
 * @param objectsMax how many there may be
 * @param threads how many calls are carried out at the same time
 * @param threadsPerObject how many of these are of one object, at the most
 * @param callsMax how many calls may wait
 * @param resultBytesMax how large an answer may be
 * @param stuckAfter when an operation that does not return is reported, and no more calls wait for
 *     it
 * @param checkpoints when the host writes checkpoints of what it plays, and what history is kept
 */
public record HostOptions(
    HostTypes types,
    long bytesMax,
    int objectsMax,
    int threads,
    int threadsPerObject,
    int callsMax,
    int resultBytesMax,
    Duration stuckAfter,
    CheckpointPolicy checkpoints) {

  /** 256 MiB of collections, on up to 16 threads. */
  public static final HostOptions DEFAULT =
      new HostOptions(
          HostTypes.COLLECTIONS,
          256L << 20,
          1_024,
          16,
          4,
          4_096,
          16 << 20,
          Duration.ofSeconds(10),
          CheckpointPolicy.DEFAULT);

  public HostOptions {
    if (bytesMax < 1
        || objectsMax < 1
        || threads < 1
        || threadsPerObject < 1
        || callsMax < 1
        || resultBytesMax < 1) {
      throw new IllegalArgumentException(
          "a host has 1 or more bytes, objects, threads and calls, but these are %d, %d, %d of"
                  .formatted(bytesMax, objectsMax, threads)
              + " which %d of one object, %d, and answers of %d bytes"
                  .formatted(threadsPerObject, callsMax, resultBytesMax));
    }
  }

  public HostOptions withTypes(HostTypes others) {
    return new HostOptions(
        others,
        bytesMax,
        objectsMax,
        threads,
        threadsPerObject,
        callsMax,
        resultBytesMax,
        stuckAfter,
        checkpoints);
  }

  /** How much it holds. */
  public HostOptions withRoom(long bytes, int objects) {
    return new HostOptions(
        types,
        bytes,
        objects,
        threads,
        threadsPerObject,
        callsMax,
        resultBytesMax,
        stuckAfter,
        checkpoints);
  }

  /** How much it does at the same time. */
  public HostOptions withThreads(int all, int perObject, int waiting) {
    return new HostOptions(
        types,
        bytesMax,
        objectsMax,
        all,
        perObject,
        waiting,
        resultBytesMax,
        stuckAfter,
        checkpoints);
  }

  public HostOptions withResultBytesMax(int bytes) {
    return new HostOptions(
        types,
        bytesMax,
        objectsMax,
        threads,
        threadsPerObject,
        callsMax,
        bytes,
        stuckAfter,
        checkpoints);
  }

  public HostOptions withStuckAfter(Duration time) {
    return new HostOptions(
        types,
        bytesMax,
        objectsMax,
        threads,
        threadsPerObject,
        callsMax,
        resultBytesMax,
        time,
        checkpoints);
  }

  public HostOptions withCheckpoints(CheckpointPolicy policy) {
    return new HostOptions(
        types,
        bytesMax,
        objectsMax,
        threads,
        threadsPerObject,
        callsMax,
        resultBytesMax,
        stuckAfter,
        policy);
  }
}
