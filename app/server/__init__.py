"""The server of the page: what requests pass, who visits, the queue of jobs with its engines, and what is sent as events."""
