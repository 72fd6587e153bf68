package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checkpoints of a state machine, in streams of their own. One stream holds their parts,
 * another one their end records, which list the parts. A checkpoint without an end record does not
 * exist. Thread-safe.
 *
 * <p>Replicas write checkpoints at the same time, and end them in any order, so the last end record
 * need not have the newest state. Its parts, or the commands behind it, may be deleted before it
 * ends. So a reader uses the last checkpoint whose parts and commands still exist. A client that
 * deletes history first appends the checkpoint that it keeps to the stream of end records. The
 * order of that stream decides between two clients that want to keep different checkpoints;
 * otherwise each would delete what the other one needs.
 */
final class MachineCheckpoints {

  private final String name;
  private final StreamAccess access;
  private final Streams streams;
  private final LogStream ends;
  private final LogStream parts;
  private final LogStream commands;

  MachineCheckpoints(String name, StreamAccess access, Streams streams) {
    this.name = name;
    this.access = access;
    this.streams = streams;
    this.ends = streams.open(Names.checkpoints(name));
    this.parts = streams.open(Names.parts(name));
    this.commands = streams.open(Names.commands(name));
  }

  /**
   * Returns the last usable checkpoint of a state no newer than this address, or empty if there is
   * none.
   */
  Optional<Checkpoint> newest(Address noLaterThan) {
    return newest(noLaterThan, StreamAddress.ZERO);
  }

  /**
   * Returns the last usable checkpoint that resumes at this stream address or above, or empty if
   * there is none.
   */
  Optional<Checkpoint> newestFrom(StreamAddress resume) {
    return newest(new Address(Long.MAX_VALUE), resume);
  }

  private Optional<Checkpoint> newest(Address noLaterThan, StreamAddress resume) {
    List<Checkpoint> found =
        newest(
            1,
            one -> one.before().compareTo(noLaterThan) <= 0 && one.resume().compareTo(resume) >= 0);
    return found.stream().findFirst();
  }

  /** Returns the last usable checkpoints that fit, one for each state, and {@code most} at most. */
  private List<Checkpoint> newest(int most, Predicate<Checkpoint> fits) {
    Map<StreamAddress, Checkpoint> found = new LinkedHashMap<>(); // by the next command
    for (long at = ends.tail().value() - 1; at >= 0 && found.size() < most; at--) {
      switch (ends.read(new StreamAddress(at))) {
        case StreamRead.Entry entry -> {
          Checkpoint one = Checkpoint.decode(entry.address(), entry.payload());
          if (!found.containsKey(one.resume()) && fits.test(one) && isWhole(one)) {
            found.put(one.resume(), one);
          }
        }
        case StreamRead.Trimmed trimmed -> at = 0;
        case StreamRead.Absent nothing -> {} // a writer died between token and entry
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * Deletes history that is older than the newest checkpoints, if there are as many.
   *
   * @param count the number of checkpoints to keep, 1 or more
   */
  void keepNewest(int count) {
    List<Checkpoint> newest = newest(count, one -> true);
    if (newest.size() == count) {
      var unused =
          keep(newest.stream().min(Comparator.comparing(Checkpoint::resume)).orElseThrow());
    }
  }

  /**
   * Whether all parts exist. Streams are trimmed from their beginnings, so it checks the first part
   * only.
   */
  private boolean isWhole(Checkpoint found) {
    return !(parts.read(found.firstPart()) instanceof StreamRead.Trimmed)
        && !(commands.read(found.resume()) instanceof StreamRead.Trimmed);
  }

  /**
   * Writes a checkpoint.
   *
   * @param before the log address below which the state includes every command
   * @param resume the stream address of the next command
   */
  Checkpoint write(StateMachine.Saved saved, Address before, StreamAddress resume) {
    Checkpoint end = writeParts(saved).end(before, resume);
    ends.append(end.encoded());
    return end;
  }

  private PartWriter writeParts(StateMachine.Saved saved) {
    PartWriter writer = new PartWriter(access, parts);
    try (DataOutputStream out = new DataOutputStream(writer)) {
      saved.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a checkpoint of " + name, e);
    }
    return writer;
  }

  /**
   * Writes the first state of a machine that has no commands. The first entry of the stream of
   * commands refers to it, so a replica that began earlier loads it, too.
   *
   * @throws MachineNotEmptyException if the machine has commands or checkpoints
   */
  Checkpoint seed(StateMachine.Saved saved) {
    if (commands.tail().value() > 0 || ends.tail().value() > 0) {
      throw new MachineNotEmptyException(name);
    }
    PartWriter written = writeParts(saved);
    var wholes = List.of(StreamPart.whole(commands.id()), StreamPart.whole(ends.id()));
    StreamAppend outcome =
        streams.appendIf(
            List.of(StreamPart.whole(commands.id())),
            new Condition(0, wholes), // no entry since address 0
            written.end(new Address(0), StreamAddress.ZERO).encoded());
    return switch (outcome) {
      case StreamAppend.Conflict conflict -> throw new MachineNotEmptyException(name);
      case StreamAppend.Appended appended -> {
        var before = new Address(appended.address().value() + 1);
        var resume = new StreamAddress(appended.in(commands.id()).value() + 1);
        Checkpoint end = written.end(before, resume);
        ends.append(end.encoded());
        yield end;
      }
    };
  }

  /** Loads the state of a checkpoint into a machine. */
  void load(Checkpoint checkpoint, StateMachine into) {
    try (var in =
        new DataInputStream(new BufferedInputStream(new PartReader(name, access, checkpoint)))) {
      into.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot load the checkpoint of %s before address %s".formatted(name, checkpoint.before()),
          e);
    }
  }

  /**
   * Deletes history that this checkpoint does not need. If another client keeps a newer checkpoint
   * by now, that one decides.
   *
   * @return the checkpoint that is kept
   */
  Checkpoint keep(Checkpoint wanted) {
    if (wanted.resume().equals(StreamAddress.ZERO)) {
      return wanted; // there is no older history; a seed may need its parts
    }
    StreamAddress at = ends.append(wanted.encodedAsKept()).in(ends.id());
    Checkpoint kept = wanted;
    StreamAddress its = at;
    boolean isFirst = true;
    for (StreamRead read : ends.read(StreamAddress.ZERO, new StreamAddress(at.value() + 1))) {
      if (read instanceof StreamRead.Entry entry && Checkpoint.isKept(entry.payload())) {
        Checkpoint next = Checkpoint.decode(entry.address(), entry.payload());
        if (isFirst || kept.spares(next)) {
          kept = next;
          its = entry.streamAddress();
          isFirst = false;
        }
      }
    }
    commands.trim(kept.resume());
    parts.trim(kept.firstPart());
    ends.trim(its);
    return kept;
  }
}
