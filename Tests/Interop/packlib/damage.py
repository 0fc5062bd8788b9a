"""What is wrong with bytes that were read, and where."""


class Damage(Exception):
    """Bytes that break a rule of the format.

    reason  a short stable id, such as 'block-cut'
    where   {'file': offset in the file, 'block': number, 'stream': offset in the archive stream,
            'entry': number}, as far as known
    """

    def __init__(self, reason, message, **where):
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.where = {key: value for key, value in where.items() if value is not None}

    def __str__(self):
        places = ", ".join(f"{key} {value:,}" for key, value in self.where.items())
        return f"{self.message} [{self.reason}{'; ' + places if places else ''}]"
