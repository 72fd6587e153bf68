package corfu.objects;

import corfu.objects.internal.invoker.LiveInvoker;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.objects.internal.invoker.RemoteInvoker;
import corfu.objects.internal.transaction.Transaction;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.View;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an object that consists of other objects (dissertation, section 5.4). A part is an
 * object with a stream of its own. A part is opened at the same moment as the whole object: either
 * now or at an address of the log. References to parts are dynamic: an id says which object is
 * meant, and the reader's snapshot says which version of the object.
 *
 * <p>Thread-safe. Parts are not listed in the catalogue.
 */
public final class Parts {

  private final ObjectInvoker invoker;
  private final View<?> whole;

  private Parts(ObjectInvoker invoker, View<?> whole) {
    this.invoker = invoker;
    this.whole = whole;
  }

  /**
   * Those of an object that was opened; the object's own stream may be among them.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Parts of(Object object) {
    return new Parts(ObjectInvoker.of(object), ObjectInvoker.viewOf(object));
  }

  /** The stream of the whole object. */
  public StreamId id() {
    return whole.stream();
  }

  /** Returns the name of the whole object in messages. */
  public String name() {
    return whole.name();
  }

  /**
   * The id of a part: always the same for the same name. The client remembers the name for servers,
   * where the permissions on the whole object are those on the part.
   */
  public StreamId idOf(String part) {
    return whole.client().access().named(whole.stream() + "/" + part);
  }

  /** The id of a part that nobody else has; it is drawn at random. */
  public StreamId newId() {
    var random = whole.client().world().random();
    return new StreamId(random.nextLong() | 1, random.nextLong());
  }

  /** Opens the part of this name. */
  public <C> C open(String part, ObjectType<C> type) {
    return open(idOf(part), whole.name() + "/" + part, type);
  }

  /**
   * Opens the part of this id.
   *
   * @param name what messages call it
   */
  public <C> C open(StreamId part, String name, ObjectType<C> type) {
    return invoker.parts().openPart(name, part, type);
  }

  /**
   * Opens a part that clients always play themselves, also if servers play the rest: what tells
   * which part something is in, and is small.
   */
  public <C> C openHere(StreamId part, String name, ObjectType<C> type) {
    return invoker.partsHere().openPart(name, part, type);
  }

  /** Whether the object is as it was at an address of the log: then nothing can change it. */
  public boolean isPast() {
    return invoker.ofNow().isEmpty();
  }

  /** Whether the calling thread is in a transaction, which all that it does becomes a part of. */
  public boolean isInTransaction() {
    return invoker.ofNow().filter(now -> now.current() != null).isPresent();
  }

  /**
   * Says which parts will be read soon, in a transaction of the calling thread: so that they are
   * asked for together, in one question, instead of one after the other. It reads none of them. Of
   * parts that servers play, those to which nothing has ever happened need not be asked for. Out of
   * a transaction it does nothing.
   */
  public void prepare(Collection<?> parts) {
    Transaction transaction = invoker.ofNow().map(Transactions::current).orElse(null);
    if (transaction != null) {
      prepare(parts, transaction);
    }
  }

  private void prepare(Collection<?> parts, Transaction transaction) {
    CallScope call = whole.client().call();
    try {
      List<View<?>> views =
          parts.stream()
              .filter(part -> ObjectInvoker.of(part) instanceof LiveInvoker)
              .<View<?>>map(ObjectInvoker::viewOf)
              .toList();
      transaction.snapshot().prepare(views);
      transaction
          .snapshot()
          .prepareRemote(
              parts.stream()
                  .filter(part -> ObjectInvoker.of(part) instanceof RemoteInvoker)
                  .<View<?>>map(ObjectInvoker::viewOf)
                  .toList());
    } finally {
      call.end();
    }
  }

  /** Reads parts as they are at one moment: a read-only transaction, or the one of the thread. */
  @SuppressWarnings({"unchecked", "NullAway"}) // what the body returned: it may be null
  public <R extends @Nullable Object> R read(Supplier<R> body) {
    Optional<Transactions> now = invoker.ofNow();
    return now.isEmpty() || isInTransaction()
        ? body.get()
        : (R) now.get().runUnchecked(TransactionOptions.READ_ONLY, body::get);
  }

  /**
   * Changes parts, all together: a transaction, or the one of the thread.
   *
   * @throws TransactionAbortedException if others won each time
   * @throws UnsupportedOperationException if the object is one of the past
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // what the body returned: it may be null
  public <R extends @Nullable Object> R transact(Supplier<R> body) {
    Optional<Transactions> now = invoker.ofNow();
    if (now.isPresent()) {
      return (R) now.get().runUnchecked(TransactionOptions.DEFAULT, body::get);
    }
    throw new UnsupportedOperationException(
        "nothing can change %s as it was at an address of the log".formatted(whole.name()));
  }

  /**
   * Finds out which part a change goes to, and makes the change, as if both were one call. The body
   * reads parts, and ends with one call that changes one part. The body reads the states that this
   * client already has, because the client plays these parts itself. These states may be old. If
   * something that the body read has changed since, nothing is appended, and the body runs again
   * with the current state. So a change costs no more than a change of an object that is not
   * composed, and changes of the same thing do not conflict. In a transaction of the thread, the
   * change is a part of the transaction.
   *
   * @throws TransactionAbortedException if the state that the body reads changes all the time
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // what the body returned: it may be null
  public <R extends @Nullable Object> R route(Supplier<R> body) {
    Optional<Transactions> now = invoker.ofNow();
    if (now.isEmpty()) {
      return body.get();
    }
    try {
      return (R) now.get().route(body::get);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("the body declares no such exception", checked);
    }
  }

  /**
   * Makes one call of several routes, transactions and calls of parts: all of them end by the one
   * deadline that the body is given.
   */
  public <R extends @Nullable Object> R inOneCall(Function<Deadline, R> body) {
    CallScope call = whole.client().call();
    try {
      return body.apply(call.deadline());
    } finally {
      call.end();
    }
  }

  /**
   * Has something done soon, for no caller, one thing after the other; what it throws is logged.
   *
   * @return false if there is too much to do already
   */
  public boolean later(Runnable task) {
    return whole.client().background().offer(task);
  }
}
