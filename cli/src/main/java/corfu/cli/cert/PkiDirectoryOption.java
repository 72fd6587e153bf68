package corfu.cli.cert;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.pki.CertificateAuthority;
import corfu.world.World;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option that names the directory of a certificate authority. */
public final class PkiDirectoryOption {

  @Option(
      names = "--dir",
      paramLabel = "PKI",
      required = true,
      description = "Directory of the certificate authority.")
  private Path directory = Path.of(".");

  /** Returns the directory. */
  public Path directory() {
    return directory;
  }

  /** Opens the authority in the directory. */
  public CertificateAuthority open(World world) {
    return CertificateAuthority.open(directory, world);
  }

  /** Returns what an argument says, and reports a wrong one as an error of the command line. */
  public static <T> T argument(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
