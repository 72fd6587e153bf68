package corfu.objects.internal.view;

import corfu.objects.internal.client.ObjectContext;
import corfu.objects.record.CallId;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.protocol.Address;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.StreamAppend;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Appends changes of an object to its stream. Plays nothing. Thread-safe. */
public final class ChangeAppender {

  private final ObjectContext<?> object;
  private final TypeCheck typeCheck;
  private final OwnEntries own;
  private final BooleanSupplier isPlayed;

  /**
   * @param own receives the appended entries, so that the object's player need not read them
   * @param isPlayed whether the object is played here
   */
  ChangeAppender(
      ObjectContext<?> object, TypeCheck typeCheck, OwnEntries own, BooleanSupplier isPlayed) {
    this.object = object;
    this.typeCheck = typeCheck;
    this.own = own;
    this.isPlayed = isPlayed;
  }

  /** Appends a change; returns when it is durable. */
  public void write(int operation, @Nullable Object[] arguments) {
    write(operation, arguments, Precondition.NONE);
  }

  /** The same, unless something that it relies on has changed. */
  public void write(int operation, @Nullable Object[] arguments, Precondition precondition) {
    var unused = append(object.client().calls().next(), operation, arguments, precondition);
  }

  /** Appends a change; returns its address. */
  public Address append(
      CallId call, int operation, @Nullable Object[] arguments, Precondition precondition) {
    return typeCheck.change(precondition, unless -> appendIf(call, operation, arguments, unless));
  }

  private Address appendIf(
      CallId call, int operation, @Nullable Object[] arguments, Precondition precondition) {
    StreamPart writes = part(operation, arguments);
    Update update = object.codec().update(operation, arguments);
    Updates record = object.client().record(call, List.of(update));
    StreamAppend outcome =
        object
            .client()
            .append(
                record,
                List.of(writes),
                precondition.condition(),
                precondition.asOf(),
                appended -> appended(appended, record));
    return switch (outcome) {
      case StreamAppend.Appended appended -> {
        typeCheck.enterCatalogue();
        yield appended.address();
      }
      case StreamAppend.Conflict conflict -> throw new Precondition.ChangedException(conflict);
    };
  }

  /** This client has appended an entry that changes the object, or was told of a conflict. */
  public void appended(StreamAppend outcome, Updates record) {
    typeCheck.appended(outcome);
    if (isPlayed.getAsBoolean() && outcome instanceof StreamAppend.Appended appended) {
      own.add(
          new OwnEntries.Own(
              appended.in(object.stream()), appended.address(), appended.epoch(), record));
    }
  }

  /** Returns the change as it will be in the log, unless the object is of another type. */
  public Update update(int operation, @Nullable Object[] arguments) {
    typeCheck.beforeChange();
    return object.codec().update(operation, arguments);
  }

  /** Returns the part of the object that the operation reads or changes. */
  public StreamPart part(int operation, @Nullable Object[] arguments) {
    return OperationKeys.part(object.stream(), object.operation(operation), arguments);
  }
}
