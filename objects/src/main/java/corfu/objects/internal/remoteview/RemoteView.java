package corfu.objects.internal.remoteview;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ObjectException;
import corfu.objects.RemoteViewException;
import corfu.objects.ResultUnknownException;
import corfu.objects.TransactionAbortedException;
import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.checkpoint.CheckpointWriter;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.value.LogValues;
import corfu.objects.internal.view.AwaitedChange;
import corfu.objects.internal.view.PastOutcome;
import corfu.objects.internal.view.Precondition;
import corfu.objects.internal.view.Restoration;
import corfu.objects.internal.view.View;
import corfu.objects.record.CallId;
import corfu.objects.record.Update;
import corfu.objects.remote.HostOrder;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.StateVersion;
import corfu.objects.remote.TypeName;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewCall;
import corfu.objects.remote.ViewHosts;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.runtime.CorfuException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An object that servers play for this client. The client asks them for the results of accessors,
 * and for the outcomes of changes that it has appended itself. If no host answers, the client plays
 * a view of its own. It drops that view after hosts have answered again for a while. Thread-safe.
 */
public final class RemoteView<T> {

  /** The time after its last use until the client drops its own state. */
  private static final Duration KEPT = Duration.ofSeconds(30);

  private static final long UNUSED = -1;

  private final View<T> view; // plays nothing as long as hosts answer
  private final ViewHosts hosts;
  private final HostOrder order;
  private final RemoteOptions options;
  private final TypeName type;
  private final AtomicLong usedLocally = new AtomicLong(UNUSED);

  /** The result of a call. */
  public record Value(@Nullable Object value) {}

  /**
   * The result of a read at a snapshot that is current in this epoch; see {@link ViewAnswer.Seen}.
   */
  public record Read(Value value, Epoch epoch, long began, long newest) {}

  public RemoteView(View<T> view, ViewHosts hosts, RemoteOptions options, TypeName type) {
    this.view = view;
    this.hosts = hosts;
    this.order = new HostOrder(view.stream());
    this.options = options;
    this.type = type;
    view.values().whenForgotten(this::tellForgotten);
  }

  public View<T> view() {
    return view;
  }

  // ------------------------------------------------------------------------------- what users do

  /** Reads the state of a moment within this call. */
  public @Nullable Object read(int operation, @Nullable Object[] arguments) throws Throwable {
    Optional<ViewAnswer> answer = ask(call(StateVersion.Now.NOW, operation, arguments, List.of()));
    if (answer.isEmpty()) {
      return locally(() -> view.read(operation, arguments));
    }
    return told(answer.get()).value().value();
  }

  /** Appends a change; returns when it is durable. */
  public void write(int operation, @Nullable Object[] arguments) {
    view.changes().write(operation, arguments);
  }

  /** Appends a change, and returns its outcome. */
  public @Nullable Object change(int operation, @Nullable Object[] arguments) throws Throwable {
    return change(operation, arguments, Precondition.NONE);
  }

  /**
   * Appends a change if its precondition holds, and returns its outcome.
   *
   * @throws Precondition.ChangedException if the precondition does not hold; nothing was appended
   */
  public @Nullable Object change(
      int operation, @Nullable Object[] arguments, Precondition precondition) throws Throwable {
    if (options.fallback() == RemoteOptions.Fallback.LOCAL && !hosts.isAnybodyToAsk(order)) {
      return locally(() -> AwaitedChange.of(view, operation, arguments, precondition));
    }
    CallId id = view.client().calls().next();
    Address address = view.changes().append(id, operation, arguments, precondition);
    String what = view.operation(operation).name();
    ViewCall call =
        new ViewCall(
            type,
            new StateVersion.ResultOf(address.value(), id),
            view.serializer().id(),
            what,
            new ValueOutput().toBuffer(),
            List.of());
    return switch (hosts.call(order, call)) {
      case ViewHosts.Answered(ViewAnswer.Refused no, Endpoint host) ->
          resultFoundOut(what, id, address, refused(no, host));
      case ViewHosts.Answered(ViewAnswer.NotKnown(var why), Endpoint host) ->
          throw new ResultUnknownException(what, view.name(), address, why);
      case ViewHosts.Answered(ViewAnswer.Forgotten(var why), Endpoint host) ->
          throw new ResultUnknownException(what, view.name(), address, why);
      case ViewHosts.Answered(ViewAnswer.Undecodable(long entry, var why), Endpoint host) ->
          throw view.typeCheck()
              .notToldOf(what, address, new UndecodableEntryException(new Address(entry), why));
      case ViewHosts.Answered(ViewAnswer answer, Endpoint host) -> {
        hostAnswered();
        yield told(answer).value().value();
      }
      case ViewHosts.Nobody(var why) -> resultFoundOut(what, id, address, nobody(why));
    };
  }

  /** Finds the outcome of a change that is in the log, if no host knows it. */
  private @Nullable Object resultFoundOut(
      String what, CallId call, Address address, RemoteViewException why) throws Throwable {
    if (options.fallback() == RemoteOptions.Fallback.NONE) {
      throw new ResultUnknownException(what, view.name(), address, why);
    }
    Optional<Outcome> outcome;
    try {
      outcome = PastOutcome.of(view, call, address);
    } catch (CorfuException | ObjectException notRead) {
      throw view.typeCheck().notToldOf(what, address, notRead);
    }
    return outcome
        .orElseThrow(
            () ->
                new ResultUnknownException(
                    what,
                    view.name(),
                    address,
                    "no host told it, and history before it has been forgotten"))
        .get();
  }

  /** Lets the host write a checkpoint, and returns the log address of its state. */
  public Address checkpoint() {
    Optional<ViewAnswer> answer =
        ask(housekeeping(StateVersion.Now.NOW, CheckpointWriter.OPERATION));
    return answer.isEmpty()
        ? CheckpointWriter.write(view)
        : new Address((Long) plainly(answer.get()));
  }

  /**
   * Returns the update that restores the object to its state at this log address, as the host has
   * it.
   */
  public Update restoration(Address before) {
    StateVersion then = StateVersion.Snapshot.decided(before);
    Optional<ViewAnswer> answer = ask(housekeeping(then, RestoringUpdate.OPERATION));
    if (answer.isEmpty() || isStuck(answer.get())) {
      return Restoration.of(view, before);
    }
    ByteBuffer arguments = ByteBuffer.wrap((byte[]) plainly(answer.get()));
    return new Update(view.stream(), RestoringUpdate.OPERATION, view.serializer().id(), arguments);
  }

  /**
   * Returns whether the host can't decode an entry of the object, and this client may play the
   * object itself. A host plays to the end of the stream. A restoration needs only the state before
   * an address, which this client may have without that entry.
   */
  private boolean isStuck(ViewAnswer answer) {
    return answer instanceof ViewAnswer.Undecodable
        && options.fallback() == RemoteOptions.Fallback.LOCAL;
  }

  /** Tells the host that its state names places of values that are not there any more. */
  private void tellForgotten(long anchor, long before) {
    ValueOutput arguments = new ValueOutput();
    view.serializer().write(new @Nullable Object[] {anchor, before}, arguments);
    ViewCall call =
        new ViewCall(
            type,
            StateVersion.Now.NOW,
            view.serializer().id(),
            LogValues.FORGOTTEN,
            arguments.toBuffer(),
            List.of());
    if (hosts.isAnybodyToAsk(order)) {
      var unused = hosts.call(order, call); // whoever does not hear of it is told again
    }
  }

  private ViewCall housekeeping(StateVersion version, String what) {
    return new ViewCall(
        type, version, view.serializer().id(), what, new ValueOutput().toBuffer(), List.of());
  }

  private Object plainly(ViewAnswer answer) {
    try {
      return Objects.requireNonNull(told(answer).value().value());
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("no operation of a class was called", checked);
    }
  }

  /**
   * Reads the state of a snapshot.
   *
   * @param before changes that are to be in it, though nobody else sees them
   * @return empty: no host has answered, and a state of this client's own may do
   */
  public Optional<Read> readAt(
      StateVersion.Snapshot version,
      int operation,
      @Nullable Object[] arguments,
      List<Update> before)
      throws Throwable {
    List<ViewCall.Change> changes =
        before.stream()
            .map(update -> new ViewCall.Change(update.operation(), update.arguments()))
            .toList();
    Optional<ViewAnswer> answer = ask(call(version, operation, arguments, changes));
    if (answer.isEmpty()) {
      usedLocally.set(view.client().world().nanoTime());
      return Optional.empty();
    }
    return Optional.of(told(answer.get()));
  }

  // ---------------------------------------------------------------------------------- asking hosts

  private ViewCall call(
      StateVersion version,
      int operation,
      @Nullable Object[] arguments,
      List<ViewCall.Change> before) {
    ValueOutput out = new ValueOutput();
    String name = view.operation(operation).name();
    try {
      view.serializer().write(arguments, out);
    } catch (SerializationException e) {
      throw new SerializationException(
          "an argument of %s of %s: %s".formatted(name, view.name(), e.getMessage()), e);
    }
    return new ViewCall(type, version, view.serializer().id(), name, out.toBuffer(), before);
  }

  /**
   * Asks the hosts.
   *
   * @return empty: nobody has answered, and this client may play the object itself
   */
  private Optional<ViewAnswer> ask(ViewCall call) {
    RemoteViewException failure;
    switch (hosts.call(order, call)) {
      case ViewHosts.Answered(ViewAnswer.Refused no, Endpoint host) -> {
        failure = refused(no, host);
        if (!no.refusal().mayPass()) {
          throw failure;
        }
      }
      case ViewHosts.Answered(ViewAnswer answer, Endpoint host) -> {
        hostAnswered();
        return Optional.of(answer);
      }
      case ViewHosts.Nobody(var why) -> failure = nobody(why);
    }
    if (options.fallback() == RemoteOptions.Fallback.NONE) {
      throw failure;
    }
    return Optional.empty();
  }

  private RemoteViewException refused(ViewAnswer.Refused no, Endpoint host) {
    return new RemoteViewException(
        no.refusal(),
        Optional.of(host),
        "the host at %s does not serve object %s: %s".formatted(host, view.name(), no.why()));
  }

  private RemoteViewException nobody(String why) {
    return new RemoteViewException(
        Refusal.NOT_NOW,
        Optional.empty(),
        "no host serves object %s: %s".formatted(view.name(), why));
  }

  private Read told(ViewAnswer answer) throws Throwable {
    return switch (answer) {
      case ViewAnswer.Returned(var bytes, ViewAnswer.Seen seen) ->
          new Read(
              new Value(view.serializer().read(new ValueInput(bytes), view.values())[0]),
              seen.epoch(),
              seen.began(),
              seen.newest());
      case ViewAnswer.Threw threw -> throw RemoteExceptions.again(threw, view.type());
      case ViewAnswer.Changed(long newest) ->
          throw new TransactionAbortedException(
              new TransactionAbortedException.Conflict(
                  view.stream(), view.name(), Optional.empty(), new Address(newest)));
      case ViewAnswer.Over(var why) -> throw new TransactionAbortedException(why);
      case ViewAnswer.BeyondEnd(var why) -> throw new IllegalArgumentException(why);
      case ViewAnswer.Forgotten(var why) -> throw new HistoryTrimmedException(why);
      case ViewAnswer.Undecodable(long address, var why) ->
          throw new UndecodableEntryException(new Address(address), why);
      case ViewAnswer.NotKnown(var why) -> throw new IllegalStateException(why);
      case ViewAnswer.Refused no -> throw new IllegalStateException(no.why());
    };
  }

  // --------------------------------------------------------------------------------- standing in

  @FunctionalInterface
  private interface Call {
    @Nullable Object make() throws Throwable;
  }

  private @Nullable Object locally(Call call) throws Throwable {
    usedLocally.set(view.client().world().nanoTime());
    try {
      return call.make();
    } finally {
      usedLocally.set(view.client().world().nanoTime());
    }
  }

  private void hostAnswered() {
    long used = usedLocally.get();
    if (used != UNUSED
        && view.client().world().nanoTime() - used > KEPT.toNanos()
        && usedLocally.compareAndSet(used, UNUSED)) {
      view.drop();
    }
  }
}
