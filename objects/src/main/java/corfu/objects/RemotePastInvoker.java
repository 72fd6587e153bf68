package corfu.objects;

import corfu.objects.remote.Moment;
import corfu.objects.type.Invoker;
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
final class RemotePastInvoker implements Invoker {

  private final RemoteView<?> remote;
  private final Address at;
  private final RemotePastObjects objects;
  private final AtomicReference<@Nullable State<?>> own = new AtomicReference<>();

  RemotePastInvoker(RemoteView<?> remote, Address at, RemotePastObjects objects) {
    this.remote = remote;
    this.at = at;
    this.objects = objects;
  }

  View<?> view() {
    return remote.view();
  }

  RemotePastObjects objects() {
    return objects;
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
      Moment.Snapshot moment = Moment.Snapshot.decided(at);
      Optional<RemoteView.Read> read = remote.readAt(moment, place, arguments, List.of());
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
