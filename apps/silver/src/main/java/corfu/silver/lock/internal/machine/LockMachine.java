package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.internal.command.BatchReply;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockCommand.Batch;
import corfu.silver.lock.internal.command.LockCommand.End;
import corfu.silver.lock.internal.command.LockCommand.Expire;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockStatus;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.smr.Command;
import corfu.smr.StateMachine;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The state machine of the locks of one file system. Sessions, locks and waiting requests are a
 * function of the commands alone: no clock has a part in it. Not thread-safe; the replica's lock
 * guards it.
 */
public class LockMachine implements StateMachine, SessionView {

  private static final int MAX_SESSIONS = 4_096;
  private static final int MAX_SIZE = 131_072;
  private static final int MAX_SIZE_OF_SESSION = 32_768;

  private final SessionEvents events;
  private final LockState state;

  /**
   * Returns a machine without sessions.
   *
   * @param events the receiver of all changes
   */
  public LockMachine(SessionEvents events) {
    this(events, new LockState.Limits(MAX_SESSIONS, MAX_SIZE, MAX_SIZE_OF_SESSION));
  }

  LockMachine(SessionEvents events, LockState.Limits limits) {
    this.events = events;
    this.state = new LockState(limits, events);
  }

  @Override
  public byte[] apply(Command command) {
    return apply(LockCodec.decode(command.body()));
  }

  /** Applies a decoded command. */
  public byte[] apply(LockCommand command) {
    return switch (command) {
      case Batch batch -> apply(batch);
      case Expire(long session, long sequence) -> {
        SessionState silent = state.sessions().get(session);
        if (silent != null && silent.sequence() == sequence) {
          state.end(session);
        }
        yield new byte[0];
      }
      case End(long session) -> {
        state.end(session);
        yield new byte[0];
      }
    };
  }

  private byte[] apply(Batch batch) {
    SessionState session = state.sessions().get(batch.session());
    if (session == null) {
      if (batch.sequence() != 1) {
        return LockCodec.encode(new BatchReply.Gone());
      }
      Optional<SessionState> begun = state.begin(batch.session(), batch.timeoutMillis());
      if (begun.isEmpty()) {
        return LockCodec.encode(new BatchReply.TooManySessions());
      }
      session = begun.get();
    }
    if (batch.sequence() == session.sequence()) {
      return session.lastReply();
    }
    if (batch.sequence() != session.sequence() + 1) {
      return LockCodec.encode(new BatchReply.Gone());
    }
    List<LockStatus> statuses = new ArrayList<>();
    for (LockOperation operation : batch.operations()) {
      statuses.add(state.apply(batch.session(), session, operation));
    }
    byte[] reply = LockCodec.encode(new BatchReply.Applied(statuses));
    session.replied(batch.sequence(), reply);
    events.renewed(batch.session(), session);
    return reply.clone();
  }

  @Override
  public Map<Long, SessionState> sessions() {
    return Collections.unmodifiableMap(state.sessions());
  }

  @Override
  public SessionLocks locksOf(long session) {
    Set<FileOwner> holders = new LinkedHashSet<>();
    Set<Long> waiting = new LinkedHashSet<>();
    state
        .files()
        .forEach(
            (file, locks) -> {
              for (LockOwner owner : locks.held().keySet()) {
                if (owner.session() == session) {
                  holders.add(new FileOwner(file, owner.owner()));
                }
              }
              for (FileLocks.Waiter waiter : locks.waiters()) {
                if (waiter.owner().session() == session) {
                  waiting.add(waiter.request());
                }
              }
            });
    return new SessionLocks(holders, waiting);
  }

  /**
   * Returns a lock of another owner that conflicts. Its pid is 0 if the owner is in another
   * session, because pids have a meaning on their own machine only.
   */
  public Optional<FileLock> conflict(LockedFile file, LockOwner owner, FileLock lock) {
    return state
        .conflict(file, owner, lock)
        .map(
            held -> {
              FileLock found = held.lock();
              boolean isLocal = held.owner().session() == owner.session();
              return isLocal ? found : new FileLock(found.type(), found.start(), found.end(), 0);
            });
  }

  /** Passes the locks of a file to a receiver, by owner. */
  public void forEachHolder(LockedFile file, BiConsumer<LockOwner, LockedRanges> receiver) {
    FileLocks locks = state.files().get(file);
    if (locks != null) {
      locks.held().forEach(receiver);
    }
  }

  /** Returns the files that have locks or waiting requests. */
  public Set<LockedFile> files() {
    return Collections.unmodifiableSet(state.files().keySet());
  }

  /** Returns the room that locks and waiting requests take; a waiting request counts as two. */
  public int size() {
    return state.size();
  }

  @Override
  public Saved save() {
    byte[] bytes = StateCodec.encode(state);
    return out -> out.write(bytes);
  }

  @Override
  public void load(DataInput in) throws IOException {
    StateCodec.decode(in, state);
  }

  @Override
  public void installed() {
    events.installed(this);
  }
}
