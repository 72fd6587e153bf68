package corfu.objects.internal.invoker;

import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.state.State;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.View;
import corfu.objects.remote.StateVersion;
import corfu.protocol.Address;
import corfu.runtime.CallScope;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes the calls on an object as it was at an address of the log, which servers play; nothing can
 * change it. Thread-safe.
 */
public final class RemotePastInvoker implements ObjectInvoker {

  private final RemoteView<?> remote;
  private final Address at;
  private final PartOpener parts;
  private final PartOpener partsHere;
  private final AtomicReference<@Nullable State<?>> own = new AtomicReference<>();

  public RemotePastInvoker(
      RemoteView<?> remote, Address at, PartOpener parts, PartOpener partsHere) {
    this.remote = remote;
    this.at = at;
    this.parts = parts;
    this.partsHere = partsHere;
  }

  @Override
  public View<?> view() {
    return remote.view();
  }

  @Override
  public PartOpener parts() {
    return parts;
  }

  @Override
  public PartOpener partsHere() {
    return partsHere;
  }

  @Override
  public Optional<Transactions> ofNow() {
    return Optional.empty();
  }

  @Override
  public @Nullable Object invoke(int place, @Nullable Object[] arguments) throws Throwable {
    PastInvoker.checkReads(view(), place, at);
    CallScope call = view().client().call();
    try {
      return read(place, arguments);
    } finally {
      call.end();
    }
  }

  private @Nullable Object read(int place, @Nullable Object[] arguments) throws Throwable {
    State<?> mine = own.get();
    if (mine == null) {
      StateVersion.Snapshot version = StateVersion.Snapshot.decided(at);
      Optional<RemoteView.Read> read = remote.readAt(version, place, arguments, List.of());
      if (read.isPresent()) {
        return read.get().value().value();
      }
      mine = view().at(at); // nobody answers; from now on this is as good
      own.set(mine);
    }
    return mine.read(State.NOW, place, arguments);
  }

  @Override
  public @Nullable Object transact(int place, Body body) throws Throwable {
    return body.run();
  }
}
