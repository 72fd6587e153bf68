package corfu.cli.command;

import corfu.cli.output.OutputClosedException;
import corfu.fuse.mount.MountException;
import corfu.mirror.MirrorException;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.NbdServerException;
import corfu.node.ConfigException;
import corfu.node.local.LocalClusterException;
import corfu.objects.ObjectException;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.serial.SerializationException;
import corfu.pki.PkiException;
import corfu.protocol.layout.WishRefusedException;
import corfu.roles.layout.DamagedLayoutFileException;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.BeyondTailException;
import corfu.runtime.CorfuException;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.UnavailableException;
import corfu.silver.DamagedEntryException;
import corfu.silver.VersionForgottenException;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.store.http.StoreServerException;
import corfu.transport.TransportException;
import corfu.transport.WrongClusterException;
import corfu.transport.tcp.CannotListenException;
import corfu.transport.tls.TlsException;
import corfu.world.DiskException;
import corfu.world.DiskFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures on standard error, and maps them to exit statuses. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {

  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult result) {
    Throwable failure = unwrap(thrown);
    int code = exitCodeOf(failure);
    if (code != ExitCode.OUTPUT_CLOSED) {
      command.getErr().println("corfu: " + describe(failure));
      if (isVerbose(result)) {
        failure.printStackTrace(command.getErr());
      }
    }
    return code;
  }

  /** Whether the command line has --verbose, which is an option of subcommands. */
  private static boolean isVerbose(ParseResult result) {
    return result.hasMatchedOption("--verbose")
        || (result.hasSubcommand() && isVerbose(result.subcommand()));
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    var command = wrong.getCommandLine();
    var err = command.getErr();
    err.println("corfu: " + wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  /** Returns the cause of a failure, without the exceptions that carried it between threads. */
  public static Throwable unwrap(Throwable thrown) {
    Throwable failure = thrown;
    while (failure instanceof CompletionException
        || failure instanceof ExecutionException
        || failure instanceof UncheckedIOException) {
      Throwable cause = failure.getCause();
      if (cause == null) {
        break;
      }
      failure = cause;
    }
    return failure;
  }

  public static int exitCodeOf(Throwable failure) {
    return switch (failure) {
      case CommandException command -> command.exitCode();
      case OutputClosedException closed -> ExitCode.OUTPUT_CLOSED;
      case ConfigException config -> ExitCode.USAGE;
      case TlsException tls -> ExitCode.USAGE;
      case CorfuException corfu -> exitCodeOf(corfu);
      case CommandOutcomeUnknownException unknown -> ExitCode.OUTCOME_UNKNOWN;
      case WrongClusterException wrong -> ExitCode.WRONG_CLUSTER;
      case TransportException transport -> ExitCode.UNAVAILABLE;
      case DiskFullException full -> ExitCode.NO_SPACE;
      case VersionForgottenException forgotten -> ExitCode.TRIMMED;
      default -> ExitCode.FAILED;
    };
  }

  private static int exitCodeOf(CorfuException failure) {
    return switch (failure) {
      case corfu.runtime.AccessDeniedException denied -> ExitCode.DENIED;
      case QuotaExceededException over -> ExitCode.OVER_QUOTA;
      case AppendOutcomeUnknownException unknown -> ExitCode.OUTCOME_UNKNOWN;
      case BeyondTailException beyond -> ExitCode.UNWRITTEN;
      case CorruptEntryException corrupt -> ExitCode.CORRUPT;
      case EntryTooLargeException tooLarge -> ExitCode.TOO_LARGE;
      case TooManyStreamsException tooMany -> ExitCode.TOO_LARGE;
      case NoSpaceException full -> ExitCode.NO_SPACE;
      case UnavailableException unavailable -> ExitCode.UNAVAILABLE;
    };
  }

  public static String describe(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case CommandException command -> message;
      case ConfigException config -> message;
      case LocalClusterException local -> message;
      case WishRefusedException refused -> message;
      case CorfuException corfu -> message;
      case CommandOutcomeUnknownException unknown -> message;
      case ObjectException object -> message;
      case ObjectTypeException type -> message;
      case SerializationException value -> message;
      case MirrorException mirror -> message;
      case MountException mount -> message;
      case NbdServerException nbd -> message;
      case BlockDeviceException device -> message;
      case PkiException pki -> message;
      case TlsException tls -> message;
      case VersionForgottenException forgotten -> message;
      case DamagedEntryException damaged -> message;
      case TransportException transport -> message;
      case CannotListenException port -> message;
      case StoreServerException server -> message;
      case DiskException disk -> message;
      case DamagedLayoutFileException layout -> message;
      case DamagedStorageException storage -> message;
      case NoSuchFileException missing -> "there is no file " + missing.getFile();
      case AccessDeniedException denied -> denied.getFile() + " may not be read or written by you";
      case FileSystemException system -> message;
      case IOException io -> "reading or writing failed: " + message;
      default ->
          "unexpected failure; run the command again with --verbose to see its stack trace:  "
              + failure;
    };
  }
}
